package features;

/** Varargs and overloads: which method javac chose, and what the array is. */
public final class Varargs {
    private Varargs() {
    }

    private static int count(int... values) {
        return values == null ? -1 : values.length;
    }

    private static String kinds(Object... values) {
        if (values == null) {
            return "null";
        }
        String text = values.length + ":";
        for (Object value : values) {
            text += value == null ? "n" : value instanceof Object[] ? "a" : value instanceof int[] ? "i" : "o";
        }
        return text;
    }

    private static String chosen(int a) {
        return "int";
    }

    private static String chosen(long a) {
        return "long";
    }

    private static String chosen(Integer a) {
        return "Integer";
    }

    private static String chosen(Object a) {
        return "Object";
    }

    private static String chosen(int... a) {
        return "ints";
    }

    @SafeVarargs
    private static <T> T last(T... values) {
        return values[values.length - 1];
    }

    public static int counts(int a) {
        return count() + 10 * count(a) + 100 * count(a, a, a) + 1000 * count(new int[5]);
    }

    public static int sum(int a, int b, int c) {
        return total(a) + total(a, b) * 3 + total(a, b, c) * 5 + total();
    }

    private static int total(int... values) {
        int sum = 0;
        for (int value : values) {
            sum += value;
        }
        return sum;
    }

    public static String objects(int a) {
        return kinds() + kinds("x", a) + kinds((Object[]) null) + kinds((Object) null) + kinds((Object) new Object[2]) + kinds(new Object[2])
            + kinds(new int[3]);
    }

    public static String overloads(byte b, char c, long l, float f, Integer i) {
        return chosen(b) + chosen(c) + chosen(l) + chosen(f) + chosen(i) + chosen() + chosen(b, c);
    }

    public static String generic(String a, String b) {
        return last(a, b);
    }

    /** The array is the caller's own. */
    public static int shared(int a) {
        int[] cells = {a, 2};
        change(cells);
        return cells[0];
    }

    private static void change(int... cells) {
        cells[0] += 100;
    }
}
