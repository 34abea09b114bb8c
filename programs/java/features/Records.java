package features;

import java.util.Objects;

/** Records: accessors, compact constructors, and the methods that invokedynamic makes. */
public final class Records {
    private Records() {
    }

    record Point(int x, int y) {
        static final Point ORIGIN = new Point(0, 0);

        Point plus(Point other) {
            return new Point(x + other.x, y + other.y());
        }

        static Point of(int both) {
            return new Point(both, both);
        }
    }

    record Range(int low, int high) {
        Range {
            if (low > high) {
                throw new IllegalArgumentException(low + " > " + high);
            }
        }

        Range(int high) {
            this(0, high);
        }

        int length() {
            return high - low;
        }
    }

    record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, String t, Point p) { }

    record Empty() { }

    record Named<T extends Comparable<T>>(String name, T value) implements Comparable<Named<T>> {
        @Override
        public int compareTo(Named<T> other) {
            return value.compareTo(other.value);
        }

        @Override
        public String toString() {
            return name + "=" + value;
        }
    }

    record Floats(float f, double d) { }

    record Cells(int[] cells) { }

    public static int accessors(int x, int y) {
        Point p = new Point(x, y).plus(Point.of(3));
        return p.x() * 1000 + p.y() + Point.ORIGIN.x();
    }

    public static boolean equality(int a, int b, int c, int d) {
        return new Point(a, b).equals(new Point(c, d));
    }

    public static boolean equalityWithOthers(int which) {
        Point p = new Point(1, 2);
        Object other = which == 0 ? null : which == 1 ? "Point[x=1, y=2]" : which == 2 ? p : new Range(1, 2);
        return p.equals(other);
    }

    /** Floats are compared as their boxes compare: NaN equals itself, the zeros differ. */
    public static boolean equalityOfFloats(float f, double d, float g, double e) {
        return new Floats(f, d).equals(new Floats(g, e));
    }

    public static boolean equalityOfReferences(String s, String t) {
        return new Named<>(s, 1).equals(new Named<>(t, 1));
    }

    /** An array is compared by identity. */
    public static boolean equalityOfArrays(int a) {
        int[] cells = {a};
        return new Cells(cells).equals(new Cells(cells)) && !new Cells(cells).equals(new Cells(cells.clone()));
    }

    public static int hash(int x, int y) {
        return new Point(x, y).hashCode();
    }

    public static boolean hashAgrees(int x, int y, String s) {
        return new Named<>(s, x).hashCode() == new Named<>(s, x).hashCode() && new Point(x, y).hashCode() == new Point(x, y).hashCode()
            && new Empty().hashCode() == 0;
    }

    public static int hashOfAll(boolean z, byte b, char c, short s, int i, long l, float f, double d, String t) {
        return new All(z, b, c, s, i, l, f, d, t, new Point(1, 2)).hashCode();
    }

    public static String text(int x, int y) {
        return new Point(x, y).toString();
    }

    public static String textOfAll(boolean z, byte b, char c, short s, int i, long l, String t) {
        return new All(z, b, c, s, i, l, 1.5f, -0.25, t, null).toString() + new Empty();
    }

    public static int validated(int low, int high) {
        return new Range(low, high).length();
    }

    public static String caught(int high) {
        try {
            return "" + new Range(high).length();
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    public static int generic(int a, int b) {
        return Integer.signum(new Named<>("a", a).compareTo(new Named<>("b", b)));
    }

    public static String overriddenText(String name, int value) {
        return new Named<>(name, value).toString();
    }

    public static int local(int a, int b) {
        record Pair(int first, int second) {
            int product() {
                return first * second;
            }
        }

        Pair pair = new Pair(a, b);
        return pair.equals(new Pair(b, a)) ? pair.product() : -pair.product();
    }

    public static boolean nested(int a, int b) {
        record Line(Point from, Point to) { }

        return Objects.equals(new Line(new Point(a, b), null), new Line(new Point(b, a), null));
    }

    /** Tells when it is compared. */
    record Told(int value, StringBuilder log, String name) {
        @Override
        public boolean equals(Object other) {
            log.append(name);
            return other instanceof Told told && value == told.value;
        }

        @Override
        public int hashCode() {
            log.append(name);
            return value;
        }
    }

    record Triple(Told first, int number, Told second, double amount, Told third) { }

    public static String orderOfComparison(int a, int b, int c, double amount) {
        StringBuilder log = new StringBuilder();
        Triple one = new Triple(new Told(a, log, "1"), b, new Told(b, log, "2"), amount, new Told(c, log, "3"));
        Triple other = new Triple(new Told(a, log, "4"), c, new Told(c, log, "5"), 1.5, new Told(c, log, "6"));
        log.append(one.equals(other)).append(one.equals(one)).append(one.equals(null)).append(one.hashCode());
        return log.toString();
    }

    record Odd(Object never) { }

    /** A component that equals nothing, and the record that equals itself all the same. */
    public static boolean sameObject(int a) {
        Object never = new Object() {
            @Override
            public boolean equals(Object other) {
                return false;
            }

            @Override
            public int hashCode() {
                return 0;
            }
        };
        Odd odd = new Odd(never);
        return odd.equals(odd) && odd.equals(new Odd(never)) == (a == a + 1);
    }
}
