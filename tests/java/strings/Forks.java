/** What a program asks strings, and branches on once. */
public class Forks {
    static int eq(String s) { return s.equals("abc") ? 1 : 2; }
    static int starts(String s) { return s.startsWith("ab") ? 1 : 2; }
    static int ends(String s) { return s.endsWith("ab") ? 1 : 2; }
    static int index(String s) { return s.indexOf('x') >= 0 ? 1 : 2; }
    static int contains(String s) { return s.contains("xy") ? 1 : 2; }
    static int compare(String a, String b) { return a.compareTo(b) < 0 ? 1 : 2; }
    static int hash(String s) { return s.hashCode() == 5 ? 1 : 2; }
    static int region(String s, int at, int count) { return s.regionMatches(at, "xabcx", 1, count) ? 1 : 2; }
    static int ignore(String s) { return s.equalsIgnoreCase("aBc") ? 1 : 2; }
    static int sub(String s, int from, int to) { return s.substring(from, to).equals("bc") ? 1 : 2; }
    static int cat(String s, String t) { return s.concat(t).equals("abcd") ? 1 : 2; }
    static int choose(String s) { switch (s) { case "a": return 1; case "bc": return 2; default: return 3; } }
    static boolean value(String s) { return s.equals("abc"); }
    static String message(int n) {
        if (n > 3) throw new IllegalArgumentException("more than three: " + n);
        return "n = " + n;
    }
}
