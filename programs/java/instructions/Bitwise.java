package instructions;

/** iand, ior, ixor, land, lor, lxor, on numbers and on booleans. */
public final class Bitwise {
    private Bitwise() {
    }

    public static int and(int a, int b) {
        return a & b;
    }

    public static int or(int a, int b) {
        return a | b;
    }

    public static int xor(int a, int b) {
        return a ^ b;
    }

    public static int not(int a) {
        return ~a;
    }

    public static long longAnd(long a, long b) {
        return a & b;
    }

    public static long longOr(long a, long b) {
        return a | b;
    }

    public static long longXor(long a, long b) {
        return a ^ b;
    }

    public static long longNot(long a) {
        return ~a;
    }

    public static long mixed(int a, long b) {
        return a & b | ~a ^ b;
    }

    public static boolean logic(boolean a, boolean b, boolean c) {
        return a & b | b & c ^ !a;
    }

    public static int bitCount(int a) {
        int x = a - (a >>> 1 & 0x55555555);
        x = (x & 0x33333333) + (x >>> 2 & 0x33333333);
        x = x + (x >>> 4) & 0x0f0f0f0f;
        return x * 0x01010101 >>> 24;
    }

    public static int lowestBit(int a) {
        return a & -a;
    }

    public static boolean isPowerOfTwo(int a) {
        return a > 0 && (a & a - 1) == 0;
    }

    /** Swapping without a third local. */
    public static long swapped(int a, int b) {
        a ^= b;
        b ^= a;
        a ^= b;
        return (long) a << 32 | b & 0xffffffffL;
    }

    public static int hash(long a) {
        return (int) (a ^ a >>> 32);
    }

    @SuppressWarnings("lossy-conversions")
    public static byte compoundByte(byte a, int b) {
        a &= b;
        a |= 0x41;
        a ^= (byte) 0x80;
        return a;
    }
}
