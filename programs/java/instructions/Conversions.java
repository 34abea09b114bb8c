package instructions;

/** The conversions between the primitive types, alone and one after the other. Those to integers saturate, and NaN becomes 0. */
public final class Conversions {
    private Conversions() {
    }

    public static byte intToByte(int a) {
        return (byte) a;
    }

    public static char intToChar(int a) {
        return (char) a;
    }

    public static short intToShort(int a) {
        return (short) a;
    }

    public static long intToLong(int a) {
        return a;
    }

    public static float intToFloat(int a) {
        return a;
    }

    public static double intToDouble(int a) {
        return a;
    }

    public static int longToInt(long a) {
        return (int) a;
    }

    public static float longToFloat(long a) {
        return a;
    }

    public static double longToDouble(long a) {
        return a;
    }

    public static int floatToInt(float a) {
        return (int) a;
    }

    public static long floatToLong(float a) {
        return (long) a;
    }

    public static double floatToDouble(float a) {
        return a;
    }

    public static int doubleToInt(double a) {
        return (int) a;
    }

    public static long doubleToLong(double a) {
        return (long) a;
    }

    public static float doubleToFloat(double a) {
        return (float) a;
    }

    /** Through int: 300.0 becomes 44 and not 127. */
    public static byte doubleToByte(double a) {
        return (byte) a;
    }

    public static char floatToChar(float a) {
        return (char) a;
    }

    public static short longToShort(long a) {
        return (short) a;
    }

    public static char byteToChar(byte a) {
        return (char) a;
    }

    public static byte charToByte(char a) {
        return (byte) a;
    }

    public static int unsignedByte(byte a) {
        return a & 0xff;
    }

    public static long unsignedInt(int a) {
        return a & 0xffffffffL;
    }

    public static boolean intThroughFloat(int a) {
        return (int) (float) a == a;
    }

    public static boolean longThroughDouble(long a) {
        return (long) (double) a == a;
    }

    public static double roundedTwice(double a) {
        return (double) (float) a;
    }

    public static int bitsOfFloat(float a) {
        return Float.floatToIntBits(a);
    }

    public static float floatOfBits(int a) {
        return Float.intBitsToFloat(a);
    }

    public static long bitsOfDouble(double a) {
        return Double.doubleToLongBits(a);
    }

    public static double doubleOfBits(long a) {
        return Double.longBitsToDouble(a);
    }

    public static double mixedArithmetic(byte b, char c, int i, long l, float f) {
        return b * c + i - l / 3 * f;
    }

    @SuppressWarnings("lossy-conversions")
    public static int compoundNarrowing(int a, double d) {
        int x = a;
        x += d;
        x *= 1.5f;
        return x;
    }
}
