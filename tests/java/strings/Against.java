/** String's methods beside plain loops over characters: whoever finds another answer fails. */
public class Against {
    static boolean sameAt(String a, int at, String b) {
        if (at < 0 || at > a.length() - b.length()) return false;
        for (int i = 0; i < b.length(); i++) {
            if (a.charAt(at + i) != b.charAt(i)) return false;
        }
        return true;
    }

    static void equal(String a, String b) {
        if (a == null || b == null) return;
        assert a.equals(b) == (a.length() == b.length() && sameAt(a, 0, b));
    }

    static void constant(String a) {
        if (a == null) return;
        assert a.equals("ab") == (a.length() == 2 && a.charAt(0) == 'a' && a.charAt(1) == 'b');
    }

    static void ignoringCase(String a) {
        if (a == null || a.length() != 2) return;
        boolean same = true;
        String b = "k\u00e4";
        for (int i = 0; i < 2; i++) {
            char x = a.charAt(i), y = b.charAt(i);
            char u = Character.toUpperCase(x), v = Character.toUpperCase(y);
            if (x != y && u != v && Character.toLowerCase(u) != Character.toLowerCase(v)) same = false;
        }
        assert a.equalsIgnoreCase(b) == same;
    }

    static void hash(String a) {
        if (a == null) return;
        int h = 0;
        for (int i = 0; i < a.length(); i++) h = 31 * h + a.charAt(i);
        assert a.hashCode() == h;
    }

    static void order(String a, String b) {
        if (a == null || b == null) return;
        int order = a.length() - b.length();
        for (int i = 0; i < a.length() && i < b.length(); i++) {
            if (a.charAt(i) != b.charAt(i)) {
                order = a.charAt(i) - b.charAt(i);
                break;
            }
        }
        assert a.compareTo(b) == order;
    }

    static void starts(String a, String b, int at) {
        if (a == null || b == null) return;
        assert a.startsWith(b, at) == sameAt(a, at, b);
    }

    static void ends(String a, String b) {
        if (a == null || b == null) return;
        assert a.endsWith(b) == sameAt(a, a.length() - b.length(), b);
    }

    static void region(String a, int at, int from, int count) {
        if (a == null) return;
        String b = "xyx";
        boolean inside = from >= 0 && at >= 0 && at <= (long) a.length() - count && from <= (long) b.length() - count;
        boolean same = inside;
        for (int i = 0; inside && i < count; i++) {
            if (a.charAt(at + i) != b.charAt(from + i)) same = false;
        }
        assert a.regionMatches(at, b, from, count) == same;
    }

    static void first(String a, int c, int from) {
        if (a == null) return;
        int found = -1;
        for (int i = 0; i < a.length(); i++) {
            if (i >= from && a.charAt(i) == c) {
                found = i;
                break;
            }
        }
        assert a.indexOf(c, from) == found;
    }

    static void last(String a, int c, int from) {
        if (a == null) return;
        int found = -1;
        for (int i = 0; i < a.length() && i <= from; i++) {
            if (a.charAt(i) == c) found = i;
        }
        assert a.lastIndexOf(c, from) == found;
    }

    static void firstText(String a, int from) {
        if (a == null) return;
        int found = -1;
        for (int i = 0; i <= a.length(); i++) {
            if (i >= from && sameAt(a, i, "xx")) {
                found = i;
                break;
            }
        }
        assert a.indexOf("xx", from) == found;
    }

    static void nothing(String a, int from) {
        if (a == null) return;
        assert a.indexOf("", from) == Math.min(Math.max(from, 0), a.length());
        assert a.lastIndexOf("", from) == (from < 0 ? -1 : Math.min(from, a.length()));
    }

    static void lastText(String a, int from) {
        if (a == null) return;
        int found = -1;
        for (int i = 0; i <= a.length() && i <= from; i++) {
            if (sameAt(a, i, "xx")) found = i;
        }
        assert a.lastIndexOf("xx", from) == found;
    }

    static void joined(String a, String b) {
        if (a == null || b == null) return;
        String joined = a.concat(b);
        assert joined.length() == a.length() + b.length();
        assert (joined == a) == (b.length() == 0);
        for (int i = 0; i < joined.length(); i++) {
            assert joined.charAt(i) == (i < a.length() ? a.charAt(i) : b.charAt(i - a.length()));
        }
    }

    static void added(String a, int n) {
        if (a == null) return;
        String text = a + ":" + (n & 15);
        assert text.length() == a.length() + 1 + ((n & 15) > 9 ? 2 : 1);
        assert text.charAt(a.length()) == ':';
        assert text.startsWith(a);
        assert text.charAt(text.length() - 1) == '0' + (n & 15) % 10;
    }

    static void part(String a, int from, int to) {
        if (a == null) return;
        String part;
        try {
            part = a.substring(from, to);
        } catch (StringIndexOutOfBoundsException wrong) {
            assert from < 0 || to > a.length() || from > to;
            return;
        }
        assert from >= 0 && to <= a.length() && from <= to;
        assert part.length() == to - from;
        assert (part == a) == (from == 0 && to == a.length());
        for (int i = 0; i < part.length(); i++) {
            assert part.charAt(i) == a.charAt(from + i);
        }
    }

    static void digits(int n) {
        int m = n % 1000;
        String text = Integer.toString(m);
        int value = 0;
        int first = m < 0 ? 1 : 0;
        assert m >= 0 || text.charAt(0) == '-';
        for (int i = first; i < text.length(); i++) value = value * 10 + (text.charAt(i) - '0');
        assert (m < 0 ? -value : value) == m;
        assert text.length() == first + 1 || text.charAt(first) != '0';
    }

    static void built(int n, String a) {
        if (a == null) return;
        int m = n & 127;
        String text = new StringBuilder().append(a).append(m).append('x').toString();
        assert text.startsWith(a) && text.endsWith("x");
        assert text.length() == a.length() + 1 + (m > 99 ? 3 : m > 9 ? 2 : 1);
        assert text.charAt(a.length()) == '0' + (m > 99 ? m / 100 : m > 9 ? m / 10 : m);
    }

    static void parsed(String a) {
        if (a == null) return;
        int first = !a.isEmpty() && (a.charAt(0) == '-' || a.charAt(0) == '+') ? 1 : 0;
        boolean isNumber = a.length() > first;
        int value = 0;
        for (int i = first; i < a.length(); i++) {
            char c = a.charAt(i);
            int digit = c >= '0' && c <= '9' ? c - '0' : c == 'a' || c == 'A' ? 10 : -1;
            if (digit < 0) isNumber = false;
            value = value * 11 + digit;
        }
        if (first == 1 && a.charAt(0) == '-') value = -value;
        try {
            int parsed = Integer.parseInt(a, 11);
            assert isNumber && parsed == value;
        } catch (NumberFormatException e) {
            assert !isNumber && e.getMessage().startsWith("For input string: \"" + a + "\"");
        }
    }
}
