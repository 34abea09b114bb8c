package instructions;

/** iadd, isub, imul, idiv, irem, ineg, iinc, the int constants, and the narrow types, which are computed as ints. */
public final class IntArithmetic {
    private IntArithmetic() {
    }

    public static int add(int a, int b) {
        return a + b;
    }

    public static int subtract(int a, int b) {
        return a - b;
    }

    public static int multiply(int a, int b) {
        return a * b;
    }

    /** Throws by zero; MIN_VALUE / -1 is MIN_VALUE. */
    public static int divide(int a, int b) {
        return a / b;
    }

    /** The sign is the dividend's; MIN_VALUE % -1 is 0. */
    public static int remainder(int a, int b) {
        return a % b;
    }

    public static int negate(int a) {
        return -a;
    }

    public static int divideByConstants(int a) {
        return a / 1 + a / -1 + a / 2 + a / 3 + a / 7 + a / 10 + a / -16 + a / Integer.MAX_VALUE + a / Integer.MIN_VALUE;
    }

    public static int remainderByConstants(int a) {
        return a % 1 + a % 2 + a % 3 + a % -7 + a % 10 + a % 16 + a % Integer.MIN_VALUE;
    }

    /** iconst_m1 to iconst_5, bipush, sipush and ldc. */
    public static long constants(int which) {
        switch (which & 15) {
            case 0: return -1;
            case 1: return 0;
            case 2: return 1;
            case 3: return 2;
            case 4: return 3;
            case 5: return 4;
            case 6: return 5;
            case 7: return 6;
            case 8: return -128;
            case 9: return 127;
            case 10: return 128;
            case 11: return -32768;
            case 12: return 32767;
            case 13: return 32768;
            case 14: return Integer.MIN_VALUE;
            default: return Integer.MAX_VALUE;
        }
    }

    public static int sumOfConstants(int a) {
        int m1 = -1;
        int zero = 0;
        int one = 1;
        int two = 2;
        int three = 3;
        int four = 4;
        int five = 5;
        int bytes = 100;
        int shorts = 1000;
        int large = 100_000;
        return ((((((((a + m1) * one - zero) * two) + three) * four) - five) * bytes) + shorts) ^ large;
    }

    /** iinc by a small constant, by a large one (wide), and downwards. */
    public static int increments(int a) {
        int x = a;
        x++;
        ++x;
        x += 100;
        x += 30_000;
        x--;
        x -= 200;
        return x++ + --x;
    }

    public static int compound(int a, int b) {
        int x = a;
        x += b;
        x *= 31;
        x -= 17;
        x ^= b;
        x %= 1009;
        x /= 3;
        return x;
    }

    /** The narrow types wrap around at stores, not in between. */
    public static int narrow(byte b, short s, char c) {
        b += 100;
        s *= 3;
        c -= 1;
        byte sum = (byte) (b + s + c);
        return sum + b * s - c;
    }

    public static byte byteIncrement(byte b) {
        b++;
        return b;
    }

    public static short shortDecrement(short s) {
        s--;
        return s;
    }

    public static char charIncrement(char c) {
        return ++c;
    }

    public static boolean booleans(boolean a, boolean b) {
        boolean c = a & b;
        c |= !a;
        c ^= b;
        return c;
    }

    public static boolean addOverflows(int a, int b) {
        int sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0;
    }

    public static int absolute(int a) {
        return a < 0 ? -a : a;
    }

    public static int average(int a, int b) {
        return (a & b) + ((a ^ b) >> 1);
    }

    public static int greatestCommonDivisor(int a, int b) {
        int x = a;
        int y = b;
        while (y != 0) {
            int rest = x % y;
            x = y;
            y = rest;
        }
        return x;
    }

    public static int digits(int a) {
        int count = 1;
        int rest = a / 10;
        while (rest != 0) {
            rest /= 10;
            count++;
        }
        return count;
    }
}
