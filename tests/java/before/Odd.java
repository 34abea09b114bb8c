/** Its initialiser prints, and so is executed on every path: what it makes is never an input, and the answers say so. */
public class Odd {
    static final Odd ONE = new Odd();

    static {
        System.out.println("begins");
    }

    public static int sentinel(Odd n) {
        return n == ONE ? 1 : 2;
    }

    /** The cache may have the box of an unknown number. */
    public static int boxed(Integer x, int n) {
        Integer y = n;
        return x == y ? 1 : 2;
    }
}
