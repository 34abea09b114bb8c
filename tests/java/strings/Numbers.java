/** Numbers and their texts, there and back; products and quotients. */
public class Numbers {
    static int roundTrip(int n) { return Integer.parseInt(Integer.toString(n)) == n ? 1 : 2; }
    static int longRoundTrip(long n) { return Long.parseLong("" + n) == n ? 1 : 2; }
    static int widened(int n) { return Long.parseLong(String.valueOf(n)) == n ? 1 : 2; }
    static int narrowed(long n) { return Integer.parseInt(Long.toString(n)); }
    static int seventeen(int n) { return ("" + n).equals("17") ? 1 : 2; }
    static int noNumber(int n) { return ("" + n).equals("017") ? 1 : 2; }
    static int same(int n, long m) { return Integer.toString(n).equals(Long.toString(m)) ? 1 : 2; }
    static int first(int n) { return ("" + n).charAt(0) == '7' ? 1 : 2; }
    static int last(long n) {
        String text = "" + n;
        return text.charAt(text.length() - 1) == '7' ? 1 : 2;
    }
    static int length(long n) { return Long.toString(n).length() == 20 ? 1 : 2; }
    static int built(int n) { return new StringBuilder("n=").append(n).toString().equals("n=-17") ? 1 : 2; }
    static int parsed(String s) { return Integer.parseInt(s) == -17 ? 1 : 2; }
    static int parsedLong(String s) { return Long.parseLong(s) > 9000 ? 1 : 2; }
    static int boxed(String s) { return Integer.valueOf(s) == 17 ? 1 : 2; }
    static int hex(String s) { return Integer.parseInt(s, 16) == 0xBEEF ? 1 : 2; }
    static String refused(String s) {
        try {
            return "" + Integer.parseInt(s, 7);
        } catch (NumberFormatException e) {
            return e.getMessage();
        }
    }
    static int split(int n) { return n / 10 * 10 + n % 10 == n ? 1 : 2; }
    static int splitBy(long n, long m) { return m == 0 || n / m * m + n % m == n ? 1 : 2; }
    static int clock(int t) { return t / 3600 * 3600 + t % 3600 / 60 * 60 + t % 60 == t ? 1 : 2; }
    static int squares(long a, long b) { return (a + b) * (a - b) == a * a - b * b ? 1 : 2; }
    static int rest(int a, int b) { return a < 0 || b <= 0 || a % b < b ? 1 : 2; }
    static int digits(int n) { return n > 99 && n < 1000 && n % 10 + n / 10 % 10 + n / 100 == 26 ? 1 : 2; }
    static int exact(long a, long b) { return Math.multiplyExact(a, b) > 1000 ? 1 : 2; }
    static int exactByInt(long a, int b) { return Math.multiplyExact(a, b) == 12 ? 1 : 2; }
    static int upper(long a, long b) { return a < -5 && b > 5 && Math.multiplyHigh(a, b) == -3 ? 1 : 2; }
    static int half(long n) { return n / -7 == 1_000_000_007L ? 1 : 2; }
}
