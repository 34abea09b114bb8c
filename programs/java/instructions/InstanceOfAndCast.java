package instructions;

import java.io.Serializable;

/** instanceof and checkcast on classes, interfaces and arrays. */
public final class InstanceOfAndCast {
    private InstanceOfAndCast() {
    }

    interface A { }

    interface B extends A { }

    static class Base implements A { }

    static class Derived extends Base implements B { }

    static final class Other { }

    enum Constant { PLAIN, SPECIAL { } }

    /** Something of every kind. */
    private static Object thing(int which) {
        switch (which & 31) {
            case 0: return null;
            case 1: return new Base();
            case 2: return new Derived();
            case 3: return new Other();
            case 4: return "text";
            case 5: return 5;
            case 6: return new int[1];
            case 7: return new long[1];
            case 8: return new Object[1];
            case 9: return new String[1];
            case 10: return new Base[1];
            case 11: return new Derived[1];
            case 12: return new int[1][1];
            case 13: return new Derived[1][1];
            case 14: return new A[1];
            case 15: return Constant.PLAIN;
            case 16: return Constant.SPECIAL;
            case 17: return new Object();
            case 18: return Derived.class;
            case 19: return new int[1][1][1];
            case 20: return new byte[1];
            case 21: return new boolean[1];
            default: return new StringBuilder("x");
        }
    }

    public static int classes(int which) {
        Object o = thing(which);
        return (o instanceof Base ? 1 : 0) + (o instanceof Derived ? 2 : 0) + (o instanceof Other ? 4 : 0) + (o instanceof String ? 8 : 0)
            + (o instanceof Integer ? 16 : 0) + (o instanceof Number ? 32 : 0) + (o instanceof Object ? 64 : 0)
            + (o instanceof Constant ? 128 : 0) + (o instanceof Enum ? 256 : 0);
    }

    public static int interfaces(int which) {
        Object o = thing(which);
        return (o instanceof A ? 1 : 0) + (o instanceof B ? 2 : 0) + (o instanceof Comparable ? 4 : 0) + (o instanceof CharSequence ? 8 : 0)
            + (o instanceof Cloneable ? 16 : 0) + (o instanceof Serializable ? 32 : 0);
    }

    public static int arrays(int which) {
        Object o = thing(which);
        return (o instanceof int[] ? 1 : 0) + (o instanceof Object[] ? 2 : 0) + (o instanceof String[] ? 4 : 0) + (o instanceof A[] ? 8 : 0)
            + (o instanceof Base[] ? 16 : 0) + (o instanceof int[][] ? 32 : 0) + (o instanceof Object[][] ? 64 : 0)
            + (o instanceof Cloneable[] ? 128 : 0) + (o instanceof byte[] ? 256 : 0) + (o instanceof Serializable[] ? 512 : 0);
    }

    public static boolean castToBase(int which) {
        return (Base) thing(which) != null;
    }

    public static boolean castToDerived(int which) {
        return (Derived) thing(which) != null;
    }

    public static boolean castToInterface(int which) {
        return (B) thing(which) != null;
    }

    public static int castToInts(int which) {
        return ((int[]) thing(which)).length;
    }

    public static int castToObjects(int which) {
        return ((Object[]) thing(which)).length;
    }

    public static int castToBases(int which) {
        return ((Base[]) thing(which)).length;
    }

    public static int castToRows(int which) {
        return ((int[][]) thing(which))[0].length;
    }

    public static boolean castToComparable(int which) {
        return (Comparable<?>) thing(which) != null;
    }

    public static boolean castToCloneable(int which) {
        return (Cloneable) thing(which) != null;
    }

    public static int castToNumber(int which) {
        return ((Number) thing(which)).intValue();
    }

    public static int unboxed(int which) {
        return (int) thing(which);
    }

    public static String patterns(int which) {
        Object o = thing(which);
        if (o instanceof String s && !s.isEmpty()) {
            return s;
        } else if (o instanceof Integer i) {
            return "int " + i;
        } else if (!(o instanceof int[] ints)) {
            return o instanceof Constant c ? c.name() : "other";
        } else {
            return "ints " + ints.length;
        }
    }

    public static int onParameter(Object o) {
        if (o instanceof String s) {
            return s.length();
        } else if (o instanceof Integer i) {
            return i;
        } else if (o instanceof int[] ints) {
            return ints.length;
        }
        return o == null ? -1 : -2;
    }
}
