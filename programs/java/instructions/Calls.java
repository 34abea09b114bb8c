package instructions;

/** invokestatic, invokespecial, invokevirtual, invokeinterface, invokedynamic; which method is executed. */
public final class Calls {
    private Calls() {
    }

    interface Named {
        int id();

        default int twice() {
            return 2 * id();
        }

        static int combine(Named a, Named b) {
            return a.twice() * 100 + b.secret();
        }

        private int secret() {
            return id() + offset();
        }

        private static int offset() {
            return 7;
        }
    }

    interface Loud extends Named {
        @Override
        default int twice() {
            return Named.super.twice() + 1;
        }
    }

    abstract static class Animal implements Named {
        final int number;

        Animal(int number) {
            this.number = number;
        }

        abstract int legs();

        int describe() {
            return legs() * 10 + number + own();
        }

        private int own() {
            return 1000;
        }

        static int kind() {
            return 1;
        }

        @Override
        public int id() {
            return number;
        }
    }

    static class Dog extends Animal {
        Dog(int number) {
            super(number + 1);
        }

        @Override
        int legs() {
            return 4;
        }

        /** No override: the superclass's is private. */
        private int own() {
            return 2000;
        }

        static int kind() {
            return 2;
        }

        int both() {
            return own() + super.describe();
        }
    }

    static final class Bird extends Animal implements Loud {
        Bird() {
            this(5);
        }

        Bird(int number) {
            super(number * 2);
        }

        @Override
        int legs() {
            return 2;
        }

        @Override
        int describe() {
            return -super.describe();
        }
    }

    /** The constructor calls a method that sees the subclass's field before it is set. */
    static class Early {
        final int seen;

        Early() {
            seen = look();
        }

        int look() {
            return -1;
        }
    }

    static final class Late extends Early {
        private int value = 9;

        @Override
        int look() {
            return value;
        }
    }

    private static Animal animal(int which) {
        return which == 0 ? new Dog(3) : which == 1 ? new Bird() : which == 2 ? new Bird(8) : null;
    }

    public static int statics(int a) {
        return Animal.kind() * 10 + Dog.kind() + add(a, 1) + add(a, 1L) + add((byte) a, (byte) 1);
    }

    static int add(int a, int b) {
        return a + b;
    }

    static int add(long a, long b) {
        return (int) (a - b);
    }

    static int add(byte a, byte b) {
        return a * b;
    }

    public static int virtual(int which) {
        return animal(which).describe();
    }

    public static int superclass(int which) {
        return ((Dog) animal(which)).both();
    }

    public static int interfaces(int which) {
        Named named = animal(which);
        return named.id() + named.twice() * 10;
    }

    public static int interfaceStatics(int a, int b) {
        return Named.combine(animal(a), animal(b));
    }

    public static int anonymous(int a) {
        Named named = () -> a + 1;
        Named other = new Named() {
            @Override
            public int id() {
                return a - 1;
            }

            @Override
            public int twice() {
                return id();
            }
        };
        return named.twice() * 1000 + other.twice();
    }

    public static int beforeConstruction() {
        Late late = new Late();
        return late.seen * 10 + late.look();
    }

    public static int recursion(int n) {
        return factorial(n & 31);
    }

    private static int factorial(int n) {
        return n <= 1 ? 1 : n * factorial(n - 1);
    }

    public static boolean even(int n) {
        return n == 0 || odd((n & 63) - 1);
    }

    public static boolean odd(int n) {
        return n > 0 && even(n - 1);
    }

    public static int ackermann(int m, int n) {
        m &= 1;
        n &= 7;
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermannStep(m, n));
    }

    private static int ackermannStep(int m, int n) {
        return n == 0 ? 1 : ackermannStep(m, n - 1) + 1;
    }

    public static double manyParameters(int a, long b, float c, double d, byte e, char f, short g, boolean h, int i, long j, double k) {
        return a + b + c + d + e + f + g + (h ? 1 : 0) + i + j + k;
    }

    public static String onObject(int which) {
        Object o = which == 0 ? "text" : which == 1 ? Integer.valueOf(5) : which == 2 ? new int[0] : null;
        return o.equals("text") + ":" + o.equals(5) + ":" + o.getClass().getName();
    }

    public static int covariant(int a) {
        Copy copy = new Copy(a);
        Base base = copy;
        return base.copy().value() + copy.copy().value * 10;
    }

    static class Base {
        Base copy() {
            return new Base();
        }

        int value() {
            return 1;
        }
    }

    /** The override returns a subclass, so that javac adds a bridge. */
    static final class Copy extends Base {
        private final int value;

        Copy(int value) {
            this.value = value;
        }

        @Override
        Copy copy() {
            return new Copy(value + 1);
        }

        @Override
        int value() {
            return value;
        }
    }
}
