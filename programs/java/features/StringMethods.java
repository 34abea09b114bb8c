package features;

/** What a program sees of String's methods, each on strings, characters and places that may be anything. */
public final class StringMethods {
    private StringMethods() {
    }

    public static boolean equal(String a, Object b) {
        return a.equals(b);
    }

    public static boolean equalIgnoringCase(String a, String b) {
        return a.equalsIgnoreCase(b);
    }

    public static int hash(String a) {
        return a.hashCode();
    }

    public static int order(String a, String b) {
        return a.compareTo(b);
    }

    public static boolean isEmpty(String a) {
        return a.isEmpty();
    }

    public static boolean starts(String a, String b) {
        return a.startsWith(b);
    }

    public static boolean startsAt(String a, String b, int at) {
        return a.startsWith(b, at);
    }

    public static boolean ends(String a, String b) {
        return a.endsWith(b);
    }

    public static boolean region(String a, int at, String b, int from, int count) {
        return a.regionMatches(at, b, from, count);
    }

    public static int first(String a, int c) {
        return a.indexOf(c);
    }

    public static int firstFrom(String a, int c, int from) {
        return a.indexOf(c, from);
    }

    public static int last(String a, int c) {
        return a.lastIndexOf(c);
    }

    public static int lastFrom(String a, int c, int from) {
        return a.lastIndexOf(c, from);
    }

    public static int firstText(String a, String b) {
        return a.indexOf(b);
    }

    public static int firstTextFrom(String a, String b, int from) {
        return a.indexOf(b, from);
    }

    public static int lastText(String a, String b) {
        return a.lastIndexOf(b);
    }

    public static int lastTextFrom(String a, String b, int from) {
        return a.lastIndexOf(b, from);
    }

    public static boolean contains(String a, String b) {
        return a.contains(b);
    }

    public static String joined(String a, String b) {
        return a.concat(b);
    }

    public static boolean joinedIsItself(String a, String b) {
        return a.concat(b) == a;
    }

    public static String part(String a, int from, int to) {
        return a.substring(from, to);
    }

    public static String rest(String a, int from) {
        return a.substring(from);
    }

    public static boolean partIsItself(String a, int from, int to) {
        return a.substring(from, to) == a;
    }

    public static boolean emptyPartIsTheConstant(String a, int at) {
        return a.substring(at, at) == "";
    }

    public static String digits(int a) {
        return Integer.toString(a);
    }

    public static String longDigits(long a) {
        return Long.toString(a);
    }

    public static String builtDigits(String s, int a, long b) {
        return new StringBuilder(s).append(a).append(b).toString();
    }

    public static int selected(String a) {
        switch (a) {
            case "a":
                return 1;
            case "Aa":
                return 2;
            case "BB":
                return 3;
            default:
                return 4;
        }
    }
}
