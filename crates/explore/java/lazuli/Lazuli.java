package lazuli;

import java.util.function.BiFunction;

/** The interface of test drivers, where a witness says what its methods give. */
public final class Lazuli {
    /** Set by whoever runs the witness: the type, and the name. */
    static BiFunction<String, Object, Object> source;

    private Lazuli() {}

    public static int symbolicInt(String name) { return (Integer) source.apply("I", name); }
    public static long symbolicLong(String name) { return (Long) source.apply("J", name); }
    public static short symbolicShort(String name) { return (Short) source.apply("S", name); }
    public static byte symbolicByte(String name) { return (Byte) source.apply("B", name); }
    public static char symbolicChar(String name) { return (Character) source.apply("C", name); }
    public static boolean symbolicBoolean(String name) { return (Boolean) source.apply("Z", name); }
    public static float symbolicFloat(String name) { return (Float) source.apply("F", name); }
    public static double symbolicDouble(String name) { return (Double) source.apply("D", name); }

    @SuppressWarnings("unchecked")
    public static <T> T symbolicObject(Class<T> type, String name) { return (T) source.apply("L", name); }

    public static void assume(boolean condition) {
        if (!condition) source.apply("assume", null);
    }

    public static void reachable(String name) {}

    public static boolean isResolved(Object object, String field) { return (Boolean) source.apply("isResolved", field); }
}
