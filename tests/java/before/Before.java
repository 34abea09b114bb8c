import java.util.Optional;

/** Inputs may be objects that exist before the method is called: constants, sentinels, literals, cached boxes. */
public class Before {
    public enum Color {
        RED, GREEN, BLUE;

        private static final Color FIRST = RED;

        /** The receiver of the entry is a constant. */
        public int warmth() {
            return this == FIRST ? 1 : ordinal() == 1 ? 2 : 3;
        }
    }

    /** Constants with bodies have classes of their own. */
    public enum Op implements Rule {
        PLUS("+") {
            @Override
            public int apply(int x) {
                return x + 1;
            }
        },
        MINUS("-") {
            @Override
            public int apply(int x) {
                return x - 1;
            }
        };

        private final String sign;

        Op(String sign) {
            this.sign = sign;
        }
    }

    /** Its initialiser looks a constant up by its name. */
    public enum Day {
        MON, TUE;

        static final Day LAST = Day.valueOf("TUE");
    }

    public interface Rule {
        int apply(int x);
    }

    public static final class Twice implements Rule {
        @Override
        public int apply(int x) {
            return 2 * x;
        }
    }

    public static class Nil {
        int v;
        Nil next;

        /** The receiver of the entry may be the sentinel. */
        public int isNil() {
            return this == NIL ? v : 1;
        }
    }

    public static final class Below extends Nil {
    }

    public static class Holder {
        Color color;
        Nil nil;
        Object any;
    }

    static final Nil NIL = new Nil();
    /** A sentinel that leads to itself. */
    static final Nil END = new Nil();
    static final Nil[] TABLE = { new Nil(), new Nil() };
    static final int[] NONE = {};
    static final int[] FEW = { 4, 5 };

    static {
        NIL.v = 7;
        END.next = END;
        TABLE[1].v = 9;
    }

    public static int color(Color c) {
        return c == Color.RED ? 1 : c == Color.GREEN ? 2 : c == null ? 4 : 3;
    }

    public static int arrow(Color c) {
        return switch (c) {
            case RED -> 1;
            case GREEN -> 2;
            case BLUE -> 3;
        };
    }

    /** Nothing is said of which constant it is. */
    public static int isNull(Color c) {
        return c == null ? 1 : 2;
    }

    public static int name(Color c) {
        return c.name().length();
    }

    public static int twoColors(Color c, Color d) {
        return c == d ? 1 : c == Color.BLUE ? 2 : 3;
    }

    public static int day(Day d) {
        return d == Day.LAST ? 1 : 2;
    }

    public static int body(Op op) {
        return op.apply(10);
    }

    public static int sign(Op op) {
        return op.sign == "+" ? 1 : 2;
    }

    public static int rule(Rule rule) {
        return rule == Op.MINUS ? 100 : rule.apply(20);
    }

    public static int field(Holder h) {
        return h.color == Color.GREEN ? 1 : 2;
    }

    public static int element(Color[] colors) {
        return colors.length == 2 && colors[1] == Color.BLUE ? 1 : 2;
    }

    public static int bool(Boolean b) {
        return b == Boolean.TRUE ? 1 : b == Boolean.FALSE ? 2 : 3;
    }

    public static int sentinel(Nil n) {
        return n == NIL ? 1 : 2;
    }

    /** Below is no class of the sentinel. */
    public static int classed(Nil n) {
        return n == NIL ? n instanceof Below ? 1 : 2 : n instanceof Below ? 3 : 4;
    }

    /** What is written through the input is read through the static field. */
    public static int mutated(Nil n) {
        n.v = 5;
        return n == NIL ? NIL.v : 0;
    }

    public static int written(Nil n) {
        NIL.v = 8;
        return n == NIL ? n.v : n == null ? 0 : 1;
    }

    /** Nothing is compared: the write is seen all the same. */
    public static int unseen(Nil n) {
        n.v = 5;
        return NIL.v == 5 ? 1 : 2;
    }

    public static int unseenBack(Nil n) {
        NIL.v = 6;
        return n.v == 6 && n.next == null ? 1 : 2;
    }

    public static int held(Nil n) {
        return n == NIL ? n.v : 0;
    }

    public static int both(Nil a, Nil b) {
        return a == NIL && b == NIL ? a == b ? 1 : 2 : 3;
    }

    public static int inField(Holder h) {
        return h.nil == NIL ? h.nil.v : 1;
    }

    public static int walk(Nil n) {
        int steps = 0;
        while (n != END && steps < 2) {
            n = n.next;
            steps++;
        }
        return steps;
    }

    public static int inTable(Nil n) {
        return n == TABLE[1] ? n.v : 1;
    }

    public static int inTableOnJvm() {
        return inTable(TABLE[1]);
    }

    public static int any(Object o) {
        return o == NIL ? 1 : o == "a" ? 2 : 3;
    }

    public static int none(int[] a) {
        return a == NONE ? a.length : 1;
    }

    public static int few(int[] a) {
        if (a == null || a.length != 2) {
            return 0;
        }
        a[1] = 6;
        return a == FEW ? FEW[0] + FEW[1] : 1;
    }

    static final Class<?> TEXT = String.class, TEXTS = String[].class, INTERFACE = Comparable.class, NUMBER = int.class, ANY = Object.class;

    public static int kind(Class<?> c) {
        return c == String.class ? 1 : c.isInterface() ? 2 : c.isArray() ? 3 : c.isPrimitive() ? 4 : 5;
    }

    public static int assignable(Class<?> to, Class<?> from) {
        return to.isAssignableFrom(from) ? 1 : 2;
    }

    /** Whatever it is, it is a class of numbers. */
    public static int numbers(Class<? extends Number> c) {
        return c == null ? 1 : c == int.class || Number.class.isAssignableFrom(c) ? 2 : 3;
    }

    public static int cached(Integer x) {
        return x == (Integer) 5 ? 1 : 2;
    }

    public static int character(Character x) {
        return x == (Character) 'x' ? 1 : 2;
    }

    public static int literal(String s) {
        return s == "a" ? s.length() : 2;
    }

    public static int empty(Optional<?> o) {
        return o == Optional.empty() ? 1 : 2;
    }
}
