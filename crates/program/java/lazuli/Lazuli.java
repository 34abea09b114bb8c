package lazuli;

/**
 * What test drivers say to Lazuli, which recognises these methods by name. Run on a plain JVM, inputs come from system
 * properties ({@code -Dlazuli.NAME=VALUE}) and are zero or null where none is given, and an assumption that does not
 * hold ends the run.
 */
public final class Lazuli {
    private Lazuli() {}

    /** The execution was not one that the driver wanted to see. */
    public static final class AssumptionViolated extends RuntimeException {
        private static final long serialVersionUID = 1;

        AssumptionViolated() {
            super("an assumption does not hold", null, false, false);
        }
    }

    /** Only executions in which this holds matter. */
    public static void assume(boolean condition) {
        if (!condition) {
            throw new AssumptionViolated();
        }
    }

    /** Marks a place: a report says whether and how it can be reached. */
    public static void reachable(String label) {
        System.err.println("reached " + label);
    }

    public static int symbolicInt(String name) {
        return Integer.parseInt(given(name, "0"));
    }

    public static long symbolicLong(String name) {
        return Long.parseLong(given(name, "0"));
    }

    public static short symbolicShort(String name) {
        return Short.parseShort(given(name, "0"));
    }

    public static byte symbolicByte(String name) {
        return Byte.parseByte(given(name, "0"));
    }

    public static char symbolicChar(String name) {
        return (char) Integer.parseInt(given(name, "0"));
    }

    public static boolean symbolicBoolean(String name) {
        return Boolean.parseBoolean(given(name, "false"));
    }

    public static float symbolicFloat(String name) {
        return Float.intBitsToFloat(Integer.parseInt(given(name, "0")));
    }

    public static double symbolicDouble(String name) {
        return Double.longBitsToDouble(Long.parseLong(given(name, "0")));
    }

    /** An object of the class or of a subclass, in any state, or null. A plain JVM has only null to offer. */
    public static <T> T symbolicObject(Class<T> type, String name) {
        return null;
    }

    /**
     * Whether the field of an input object has been looked at: what a conservative invariant of a partial heap
     * ({@code repOkConservative}) asks before it looks. A plain JVM has complete heaps only.
     */
    public static boolean isResolved(Object object, String field) {
        java.util.Objects.requireNonNull(object);
        return true;
    }

    private static String given(String name, String otherwise) {
        return System.getProperty("lazuli." + name, otherwise);
    }
}
