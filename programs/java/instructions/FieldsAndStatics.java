package instructions;

/** getfield, putfield, getstatic, putstatic of every type; inherited and hidden fields; constants. */
public final class FieldsAndStatics {
    private FieldsAndStatics() {
    }

    static class Base {
        boolean flag;
        byte small;
        char letter;
        short medium;
        int number;
        long large;
        float single;
        double twice;
        String text;
        int hidden = 1;

        int baseHidden() {
            return hidden;
        }
    }

    static class Derived extends Base {
        int hidden = 2;
        final int fixed;

        Derived(int fixed) {
            this.fixed = fixed;
            super.hidden += 10;
        }
    }

    static boolean flag;
    static byte small;
    static char letter;
    static short medium;
    static int number;
    static long large;
    static float single;
    static double twice;
    static String text;

    static final int CONSTANT = 42;
    static final String NAME = "constant";
    static final int COMPUTED = NAME.length() * CONSTANT;

    interface Limits {
        int LIMIT = 100;
        int SQUARE = Integer.parseInt("10") * 10;
    }

    public static String instance(boolean b, byte y, char c, short s, int i, long l, float f, double d, String t) {
        Base o = new Base();
        o.flag = b;
        o.small = y;
        o.letter = c;
        o.medium = s;
        o.number = i;
        o.large = l;
        o.single = f;
        o.twice = d;
        o.text = t;
        return o.flag + ":" + o.small + ":" + (int) o.letter + ":" + o.medium + ":" + o.number + ":" + o.large + ":" + (o.single == f) + ":"
            + (o.twice == d) + ":" + o.text;
    }

    public static String statics(boolean b, byte y, char c, short s, int i, long l, float f, double d, String t) {
        flag = b;
        small = y;
        letter = c;
        medium = s;
        number = i;
        large = l;
        single = f;
        twice = d;
        text = t;
        return flag + ":" + small + ":" + (int) letter + ":" + medium + ":" + number + ":" + large + ":" + (single == f) + ":" + (twice == d)
            + ":" + text;
    }

    /** Fields are 0 or null at first. */
    public static String defaults() {
        Base o = new Base();
        return o.flag + ":" + o.small + ":" + (int) o.letter + ":" + o.medium + ":" + o.number + ":" + o.large + ":" + (o.single == 0) + ":"
            + (o.twice == 0) + ":" + o.text;
    }

    /** A field of the superclass is another one; the static type says which is meant. */
    public static int hiding(int a) {
        Derived d = new Derived(a);
        Base b = d;
        d.hidden += a;
        b.hidden += 2 * a;
        return d.hidden * 100 + b.hidden + d.baseHidden() + ((Base) d).hidden + d.fixed;
    }

    public static int narrowInstance(int a) {
        Base o = new Base();
        o.small = (byte) a;
        o.small++;
        o.letter = (char) a;
        o.letter--;
        o.medium = (short) a;
        o.medium *= 2;
        o.flag = (a & 1) != 0;
        o.flag ^= true;
        return o.small + o.letter + o.medium + (o.flag ? 1 : 0);
    }

    public static int constants(int a) {
        return a + CONSTANT + COMPUTED + Limits.LIMIT + Limits.SQUARE + NAME.length();
    }

    public static int aliased(int a, int b) {
        Base x = new Base();
        Base y = a > b ? x : new Base();
        x.number = a;
        y.number = b;
        return x.number;
    }

    public static int staticCounter(int a) {
        number = a;
        number++;
        number += number++ + ++number;
        return number;
    }
}
