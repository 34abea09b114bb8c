package instructions;

/** ishl, ishr, iushr, lshl, lshr, lushr: the distance counts modulo 32 or 64. */
public final class Shifts {
    private Shifts() {
    }

    public static int left(int a, int distance) {
        return a << distance;
    }

    public static int right(int a, int distance) {
        return a >> distance;
    }

    public static int unsignedRight(int a, int distance) {
        return a >>> distance;
    }

    public static long longLeft(long a, int distance) {
        return a << distance;
    }

    public static long longRight(long a, int distance) {
        return a >> distance;
    }

    public static long longUnsignedRight(long a, int distance) {
        return a >>> distance;
    }

    /** The distance is the long's low bits. */
    public static int byLong(int a, long distance) {
        return a << distance ^ a >>> distance;
    }

    public static int byConstants(int a) {
        return (a << 0) + (a << 1) - (a >> 31) ^ (a >>> 31) ^ (a << 32) ^ (a >>> 33) ^ (a >> -1);
    }

    @SuppressWarnings("lossy-conversions")
    public static byte narrow(byte a, int distance) {
        a >>>= distance;
        return a;
    }

    @SuppressWarnings("lossy-conversions")
    public static char chars(char a, int distance) {
        a <<= distance;
        a >>= 1;
        return a;
    }

    public static int rotate(int a, int distance) {
        return a << distance | a >>> -distance;
    }

    public static long rotateLong(long a, int distance) {
        return a >>> distance | a << -distance;
    }

    public static int reversedBytes(int a) {
        return a << 24 | (a & 0xff00) << 8 | a >>> 8 & 0xff00 | a >>> 24;
    }

    public static int leadingZeros(int a) {
        int n = 0;
        for (int x = a; x > 0; x <<= 1) {
            n++;
        }
        return a == 0 ? 32 : n;
    }
}
