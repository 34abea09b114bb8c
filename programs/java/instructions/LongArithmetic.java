package instructions;

/** ladd, lsub, lmul, ldiv, lrem, lneg, lcmp and the long constants. */
public final class LongArithmetic {
    private LongArithmetic() {
    }

    public static long add(long a, long b) {
        return a + b;
    }

    public static long subtract(long a, long b) {
        return a - b;
    }

    public static long multiply(long a, long b) {
        return a * b;
    }

    public static long divide(long a, long b) {
        return a / b;
    }

    public static long remainder(long a, long b) {
        return a % b;
    }

    public static long negate(long a) {
        return -a;
    }

    /** lconst_0, lconst_1, ldc2_w, and an int constant that is widened. */
    public static long constants(long a) {
        return ((a + 0L) * 1L - 2L) ^ 0x123456789abcdefL ^ Long.MIN_VALUE;
    }

    public static int compare(long a, long b) {
        return a < b ? -1 : a == b ? 0 : 1;
    }

    public static String relations(long a, long b) {
        String result = "";
        if (a < b) {
            result += "<";
        }
        if (a <= b) {
            result += "<=";
        }
        if (a == b) {
            result += "==";
        }
        if (a != b) {
            result += "!=";
        }
        if (a >= b) {
            result += ">=";
        }
        if (a > b) {
            result += ">";
        }
        return result;
    }

    public static long increments(long a) {
        long x = a;
        x++;
        ++x;
        x--;
        x += 1_000_000_000_000L;
        x *= 3;
        return x++ - --x + x;
    }

    /** The high word of the product of two ints. */
    public static int multiplyHigh(int a, int b) {
        return (int) ((long) a * (long) b >> 32);
    }

    public static long power(long base, int exponent) {
        long result = 1;
        long square = base;
        for (int e = exponent & 63; e != 0; e >>>= 1) {
            if ((e & 1) != 0) {
                result *= square;
            }
            square *= square;
        }
        return result;
    }

    public static boolean multiplyOverflows(long a, long b) {
        long product = a * b;
        return a != 0 && (product / a != b || a == -1 && b == Long.MIN_VALUE);
    }

    /** Two words a local: the locals after them must not move. */
    public static long mixed(int i, long a, int j, long b) {
        long x = a * i;
        int y = j - i;
        long z = b + y;
        return x - z;
    }
}
