package features;

import java.util.List;

/** Where an exception was made. */
public final class StackTraces {
    private StackTraces() {
    }

    private static String top(Throwable thrown, int frames) {
        StringBuilder text = new StringBuilder();
        StackTraceElement[] trace = thrown.getStackTrace();
        for (int i = 0; i < frames && i < trace.length; i++) text.append(trace[i]).append('\n');
        return text.toString();
    }

    private static int deep(int n) {
        return n == 0 ? List.of(1).get(5) : deep(n - 1) + 1;
    }

    public static String ofTheLibrary() {
        try {
            return "" + deep(2);
        } catch (IndexOutOfBoundsException e) {
            return top(e, 6);
        }
    }

    public static String ofAnInstruction(int[] array, int at) {
        try {
            return "" + array[at];
        } catch (RuntimeException e) {
            return top(e, 1);
        }
    }

    private static final class Own extends Exception {
        Own(String message, Throwable cause) {
            super(message, cause);
        }
    }

    public static String ofAnOwnClass(String message) {
        try {
            throw new Own(message, new RuntimeException("inner"));
        } catch (Own e) {
            return top(e, 1) + top(e.getCause(), 1);
        }
    }

    public static boolean saysNothing() {
        return new NullPointerException().getMessage() == null;
    }
}
