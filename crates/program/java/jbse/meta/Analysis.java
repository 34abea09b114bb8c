package jbse.meta;

/**
 * The interface of programs that were written for JBSE, for sources that come without it. Lazuli recognises {@code assume} and
 * {@code isResolved} by name and executes the rest as it stands. On a plain JVM an assumption that does not hold ends the run, and everything
 * is resolved.
 */
public final class Analysis {
    private Analysis() {}

    /** Lazuli is not JBSE: what programs leave out where JBSE runs them is executed. */
    public static boolean isRunByJBSE() {
        return false;
    }

    public static void assume(boolean condition) {
        if (!condition) {
            Runtime.getRuntime().halt(1);
        }
    }

    /** This execution does not matter. */
    public static void ignore() {
        assume(false);
    }

    public static void ass3rt(boolean condition) {
        if (!condition) {
            fail();
        }
    }

    public static void fail() {
        throw new AssertionError();
    }

    /** Decides the condition here. */
    public static boolean force(boolean condition) {
        if (condition) {
            return true;
        }
        return false;
    }

    /** Classes are initialised when they are first used. */
    public static void assumeClassNotInitialized(Class<?> type) {}

    public static void assumeClassNotInitialized(String name) {}

    public static boolean isResolved(Object object, String field) {
        return true;
    }
}
