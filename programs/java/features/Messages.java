package features;

import java.util.ArrayList;
import java.util.Objects;

/** Exceptions whose constructors look at their own messages, and programs that look at the messages of others. */
@SuppressWarnings("serial")
public class Messages {
    static class Measured extends RuntimeException {
        final int length;

        Measured(String message) {
            super(message);
            length = message.length();
        }
    }

    static class Kept extends RuntimeException {
        final String text;

        Kept(int number) {
            text = "number " + number;
        }

        Kept(String message) {
            super(message);
            text = message;
        }
    }

    static class Extended extends RuntimeException {
        final String more;

        Extended(String message) {
            super(message);
            more = message + "!";
        }
    }

    static class Judged extends RuntimeException {
        final int code;

        Judged(String message) {
            super(message);
            switch (message) {
                case "code 7":
                    code = 7;
                    break;
                case "code 8":
                    code = 8;
                    break;
                default:
                    code = -1;
            }
        }
    }

    /** Text that comes from a method of the program, which may do anything. */
    static class Loud {
        final int limit;

        Loud(int limit) {
            this.limit = limit;
        }

        @Override
        public String toString() {
            if (limit < 0) {
                throw new IllegalStateException();
            }
            return "loud";
        }
    }

    public static int length(int n) {
        try {
            throw new Measured("n = " + n);
        } catch (Measured e) {
            return e.length;
        }
    }

    public static int keptLength(int n) {
        return new Kept(n).text.length();
    }

    public static boolean keptEquals(int n) {
        return new Kept("n" + n).text.equals("n5");
    }

    public static boolean equalsKept(int n) {
        return "n5".equals(new Kept("n" + n).text);
    }

    public static int hash(int n) {
        return new Kept("n" + n).text.hashCode();
    }

    public static int extended(int n) {
        return new Extended("n" + n).more.length();
    }

    public static String built(int n) {
        return new StringBuilder("<").append(new Kept(n).text).append('>').toString();
    }

    public static int joined(int n) {
        return (new Kept(n).text + "!").length();
    }

    public static int judged(int n) {
        return new Judged("code " + n).code;
    }

    public static char first(int n) {
        return String.valueOf(new Kept(n).text).charAt(0);
    }

    public static boolean interned(int n) {
        return new Kept(n).text.intern() == "number 3";
    }

    public static String wrapped(int n) {
        return new RuntimeException(new Kept("n" + n)).getMessage();
    }

    public static int asked(int n) {
        try {
            throw new Kept("n" + n);
        } catch (RuntimeException e) {
            return e.getMessage().length();
        }
    }

    public static int index(int at) {
        int[] values = {1, 2, 3};
        try {
            return values[at];
        } catch (ArrayIndexOutOfBoundsException e) {
            return e.getMessage().length();
        }
    }

    // What is known of a message although its text is not.

    public static boolean isThere(int n) {
        return new Kept("n" + n).getMessage() != null;
    }

    public static boolean isItself(int n) {
        Kept e = new Kept("n" + n);
        return e.text == e.getMessage() && e.text.equals(e.getMessage());
    }

    public static boolean areApart(int n) {
        Kept a = new Kept("n" + n);
        Kept b = new Kept("n" + n);
        return a.text != b.text;
    }

    public static boolean isText(int n) {
        Object text = new Kept(n).text;
        return text instanceof String && text.getClass() == String.class;
    }

    public static boolean castSays(Object value) {
        try {
            return ((String) value) == null;
        } catch (ClassCastException e) {
            return e.getMessage() == null;
        }
    }

    public static boolean elementSays(int at) {
        try {
            return new ArrayList<Integer>().get(at) == null;
        } catch (IndexOutOfBoundsException e) {
            return e.getMessage() == null;
        }
    }

    public static boolean checkSays(int at) {
        try {
            return Objects.checkIndex(at, 3) == 3;
        } catch (IndexOutOfBoundsException e) {
            return e.getMessage() == null;
        }
    }

    public static boolean copySays(int count) {
        try {
            System.arraycopy(new int[2], 0, new Object[2], 0, count);
            return true;
        } catch (ArrayStoreException e) {
            return e.getMessage() == null;
        }
    }

    public static int loud(int limit, boolean more) {
        try {
            throw new Kept(new Loud(limit) + " " + more);
        } catch (Kept e) {
            return 1;
        } catch (IllegalStateException e) {
            return 2;
        }
    }

    static boolean outOfBoundsSeen;

    static String outOfBoundsText(int n) {
        outOfBoundsSeen = true;
        return n < 0 ? "before" : "behind";
    }

    public static boolean counted(int n) {
        outOfBoundsSeen = false;
        new Kept(outOfBoundsText(n));
        return outOfBoundsSeen;
    }
}
