package features;

/** {@code assert}, with and without a message. */
public final class Assertions {
    private Assertions() {
    }

    public static int plain(int a) {
        assert a > 0;
        return a;
    }

    public static int withMessage(int a) {
        assert a % 2 == 0 : "odd: " + a;
        return a / 2;
    }

    public static int withNumber(int a) {
        assert a != 13 : a;
        return a;
    }

    public static int withCause(int a) {
        assert a >= 0 : new IllegalStateException("cause");
        return a;
    }

    /** The condition has an effect, which happens because asserts are on. */
    public static int withEffect(int a) {
        int x = a;
        assert (x = 5) > 0;
        return x;
    }

    public static String caught(int a) {
        try {
            assert a == 0 : "not zero";
            return "fine";
        } catch (AssertionError e) {
            return e.getMessage();
        }
    }

    /** Holds for all ints, although a sum may wrap around. */
    public static int neverFails(int a, int b) {
        int sum = a + b;
        assert sum - b == a;
        return sum;
    }

    /** Holds but for MIN_VALUE. */
    public static int absolute(int a) {
        int result = Math.abs(a);
        assert result >= 0;
        return result;
    }

    public static int average(int a, int b) {
        int middle = (a + b) / 2;
        assert a > b || middle >= a && middle <= b;
        return middle;
    }
}
