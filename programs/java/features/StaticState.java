package features;

/** Static fields, and when and in which order classes are initialised. */
public final class StaticState {
    private static String log = "";
    private static int counter = 10;
    private static final int[] TABLE = new int[8];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            TABLE[i] = i * i + counter;
        }
        counter++;
    }

    private StaticState() {
    }

    private static int note(String text, int value) {
        log += text + ";";
        return value;
    }

    static class Parent {
        static int a = note("Parent.a", 1);

        static {
            note("Parent", 0);
        }

        int field = note("Parent.field", 3);

        {
            note("Parent block", 0);
        }

        Parent() {
            note("Parent()", 0);
        }
    }

    static final class Child extends Parent {
        static final int CONSTANT = 5;
        static final Integer BOXED = note("Child.BOXED", 6);
        static int b = note("Child.b", 2);

        int own = note("Child.own", 4);

        Child() {
            super();
            note("Child()", 0);
        }

        static int call() {
            return b;
        }
    }

    interface WithField {
        int FIELD = note("WithField", 9);

        default int get() {
            return FIELD;
        }
    }

    interface WithoutDefault {
        int FIELD = note("WithoutDefault", 9);
    }

    static final class Both implements WithField, WithoutDefault {
        static final int OWN = note("Both", 1);

        static void nothing() {
        }
    }

    /** Each needs the other one: the second one sees the first one's default. */
    static final class Left {
        static int value = Right.value + 1;
    }

    static final class Right {
        static int value = Left.value + 10;
    }

    static final class Holder {
        static final Holder INSTANCE = new Holder();
        static int count = 100;
        final int seen;

        Holder() {
            seen = count;
            count++;
        }
    }

    static final class Unused {
        static int value = note("Unused", 1);
    }

    public static int table(int i) {
        return TABLE[i & 7] + counter;
    }

    public static int counting(int a) {
        counter += a;
        counter++;
        return counter;
    }

    /** A constant, an array and a class literal initialise nothing. */
    public static String passiveUses(int a) {
        log = "";
        Child[] children = new Child[2];
        String name = Child.class.getName();
        return log + (Child.CONSTANT + a) + children.length + name.length();
    }

    public static String byField() {
        log = "";
        int x = Child.b;
        return log + x;
    }

    /** An inherited field initialises the class that declares it only. */
    public static String byInheritedField() {
        log = "";
        int x = Child.a;
        return log + x;
    }

    public static String byInstance() {
        log = "";
        Child child = new Child();
        return log + (child.own + child.field);
    }

    public static String byCall() {
        log = "";
        return Child.call() + log;
    }

    public static String onlyIfReached(int a) {
        log = "";
        int x = a > 0 ? Unused.value : 0;
        return log + x;
    }

    /** Of a class's interfaces, those with default methods are initialised. */
    public static String interfaces() {
        log = "";
        Both.nothing();
        return log;
    }

    public static int cycle(boolean leftFirst) {
        if (leftFirst) {
            return Left.value * 100 + Right.value;
        } else {
            return Right.value * 100 + Left.value;
        }
    }

    /** The constructor runs before the static field gets its value. */
    public static int instanceInInitialiser() {
        return Holder.INSTANCE.seen * 1000 + Holder.count;
    }
}
