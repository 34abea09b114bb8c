package features;

/** Concatenation, StringBuilder, interning, and what String itself can do. */
public final class Strings {
    private static final String HELLO = "hello";
    private static final String PREFIX = "hel";

    private Strings() {
    }

    public static String concatenated(boolean z, byte b, char c, short s, int i, long l, String t, Object o) {
        return "z" + z + "b" + b + "c" + c + "s" + s + "i" + i + "l" + l + "t" + t + "o" + (o == null ? null : "some");
    }

    public static String concatenatedFloats(float f, double d) {
        return f + ":" + d;
    }

    public static String withoutConstants(String a, int b) {
        return a + b;
    }

    public static String onlyNull(String a) {
        return a + null;
    }

    public static String appended(String a, int n) {
        String text = a;
        text += n;
        text += 'x';
        text += true;
        text += 5L;
        return text;
    }

    public static String sums(int a, int b) {
        return a + b + " " + a + b + " " + (a + b) + (char) (a & 127) + 'c' + 1 + 2;
    }

    // ---- StringBuilder ----

    public static String built(boolean z, char c, int i, long l, String s) {
        return new StringBuilder().append(z).append(c).append(i).append(l).append(s).append((Object) null).append(new char[] {'x', 'y'}).toString();
    }

    public static String reversed(String s) {
        return new StringBuilder(s).reverse().toString();
    }

    public static String edited(String s, int at, char c) {
        StringBuilder builder = new StringBuilder(s);
        builder.insert(at, c);
        builder.setCharAt(0, '_');
        builder.deleteCharAt(builder.length() - 1);
        return builder.append(builder.length()).toString();
    }

    public static String deleted(String s, int from, int to) {
        return new StringBuilder(s).delete(from, to).toString();
    }

    public static String replaced(String s, int from, int to) {
        return new StringBuilder(s).replace(from, to, "<>").toString();
    }

    public static String truncated(String s, int length) {
        StringBuilder builder = new StringBuilder(s);
        builder.setLength(length > 20 ? 20 : length);
        return builder.toString();
    }

    public static int grown(int n) {
        StringBuilder builder = new StringBuilder(1);
        for (int i = 0; i < (n & 63); i++) {
            builder.append((char) ('a' + i % 26));
        }
        return builder.toString().hashCode() + builder.length();
    }

    // ---- identity ----

    public static boolean sameConstant() {
        return HELLO == "hello";
    }

    public static boolean foldedConstant() {
        return PREFIX + "lo" == HELLO;
    }

    public static boolean computedIsAnother(String s) {
        String computed = s + "";
        return computed == s;
    }

    public static boolean interned(String s) {
        String copy = new String(s);
        return copy != s && copy.intern() == s.intern() && copy.equals(s);
    }

    public static boolean internedComputed(String s) {
        return ("hel" + (s == null ? "" : "lo")).intern() == HELLO;
    }

    // ---- methods of String ----

    public static int length(String s) {
        return s.length();
    }

    public static char charAt(String s, int i) {
        return s.charAt(i);
    }

    public static boolean equal(String a, String b) {
        return a.equals(b);
    }

    public static boolean equalIgnoringCase(String a, String b) {
        return a.equalsIgnoreCase(b);
    }

    public static int compared(String a, String b) {
        return a.compareTo(b);
    }

    public static int hash(String s) {
        return s.hashCode();
    }

    public static String substring(String s, int from, int to) {
        return s.substring(from, to);
    }

    public static int indexOfChar(String s, char c) {
        return s.indexOf(c) * 100 + s.lastIndexOf(c);
    }

    public static int indexOfString(String s, String t) {
        return s.indexOf(t) * 100 + s.lastIndexOf(t);
    }

    public static int tests(String s, String t) {
        return (s.startsWith(t) ? 1 : 0) + (s.endsWith(t) ? 2 : 0) + (s.contains(t) ? 4 : 0) + (s.isEmpty() ? 8 : 0) + (s.isBlank() ? 16 : 0);
    }

    public static String trimmed(String s) {
        return s.trim() + "|" + s.strip();
    }

    public static String replacedChars(String s, char a, char b) {
        return s.replace(a, b);
    }

    public static String concat(String a, String b) {
        return a.concat(b);
    }

    public static String repeated(String s, int n) {
        return s.repeat(n > 5 ? 5 : n);
    }

    public static String fromChars(char a, char b) {
        return new String(new char[] {a, b}) + String.valueOf(a) + Character.toString(b);
    }

    public static int toChars(String s) {
        int sum = 0;
        for (char c : s.toCharArray()) {
            sum = sum * 31 + c;
        }
        return sum;
    }

    public static String numbers(int i, long l) {
        return Integer.toString(i) + String.valueOf(l) + Integer.toHexString(i) + Integer.toBinaryString(i & 15) + Long.toString(l, 36);
    }

    public static int parsed(String s) {
        return Integer.parseInt(s);
    }

    public static String parsedOrMessage(String s) {
        try {
            return "" + Integer.parseInt(s);
        } catch (NumberFormatException e) {
            return e.getMessage();
        }
    }

    public static String joined(String a, String b) {
        return String.join(",", a, b, "c");
    }

    public static String upper(String s) {
        return s.toUpperCase(java.util.Locale.ROOT) + s.toLowerCase(java.util.Locale.ROOT);
    }
}
