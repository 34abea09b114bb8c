package features;

/** Boxes: their caches decide what == says. */
public final class Boxing {
    private Boxing() {
    }

    /** Integers from -128 to 127 are one object each. */
    public static boolean sameInteger(int a) {
        Integer x = a;
        Integer y = a;
        return x == y;
    }

    public static boolean sameLong(long a) {
        Long x = a;
        Long y = a;
        return x == y;
    }

    public static boolean sameCharacter(char a) {
        Character x = a;
        Character y = a;
        return x == y;
    }

    public static boolean sameShort(short a) {
        Short x = a;
        Short y = a;
        return x == y;
    }

    public static boolean sameByte(byte a) {
        Byte x = a;
        Byte y = a;
        return x == y;
    }

    public static boolean sameBoolean(boolean a) {
        Boolean x = a;
        Boolean y = a;
        return x == y && x == (a ? Boolean.TRUE : Boolean.FALSE);
    }

    public static boolean equalInteger(int a, int b) {
        return Integer.valueOf(a).equals(b);
    }

    /** An Integer never equals a Long. */
    public static boolean otherBox(int a) {
        return Integer.valueOf(a).equals((Object) (long) a);
    }

    /** With one primitive side, numbers are compared. */
    public static boolean mixed(int a, int b) {
        Integer x = a;
        return x == b;
    }

    public static boolean ordered(int a, int b) {
        Integer x = a;
        Integer y = b;
        return x <= y && x >= y;
    }

    public static int incremented(int a) {
        Integer x = a;
        Integer old = x;
        x++;
        x += 5;
        return x - old + old * 2;
    }

    /** Both sides become a long, and the box with it. */
    public static String conditional(boolean which, int a, long b) {
        Object o = which ? a : b;
        return o.getClass().getSimpleName();
    }

    public static int unboxedNull(Integer a) {
        return a;
    }

    public static int sum(Integer a, Integer b) {
        return a + b;
    }

    /** It depends on what the arguments are. */
    public static boolean sameParameters(Integer a, Integer b) {
        return a == b;
    }

    public static int hashes(int i, long l, boolean z, char c) {
        return Integer.hashCode(i) + Long.valueOf(l).hashCode() * 3 + Boolean.valueOf(z).hashCode() * 5 + Character.valueOf(c).hashCode() * 7;
    }

    public static boolean doubles(double a, double b) {
        return Double.valueOf(a).equals(b);
    }

    public static int comparedDoubles(double a, double b) {
        return Double.compare(a, b);
    }

    public static int comparedInts(int a, int b) {
        return Integer.compare(a, b) * 10 + Integer.signum(a - b);
    }

    public static long numbers(int which, int a) {
        Number[] numbers = {(byte) a, (short) a, a, (long) a, (float) a, (double) a};
        return numbers[which % 6 < 0 ? 0 : which % 6].longValue();
    }

    public static int bits(int a) {
        return Integer.bitCount(a) + 100 * Integer.numberOfLeadingZeros(a) + 10_000 * Integer.numberOfTrailingZeros(a);
    }

    public static int exact(int a, int b) {
        return Math.addExact(a, Math.multiplyExact(b, 2));
    }

    public static int floor(int a, int b) {
        return Math.floorDiv(a, b) * 31 + Math.floorMod(a, b);
    }
}
