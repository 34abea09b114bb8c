/** Nothing that exists before is compared with an input. */
public class Plain {
    static final Plain ONE = new Plain();
    int v;

    public static int other(Plain a, Plain b) {
        return a == b ? 1 : ONE.v == 0 ? 2 : 3;
    }

    public static int made(Plain a) {
        return a == new Plain() ? 1 : 2;
    }

    /** That strings are compared with a literal is seen by their text alone. */
    public static int equal(String s) {
        return "a".equals(s) ? 1 : 2;
    }
}
