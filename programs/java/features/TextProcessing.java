package features;

/** Loops over the characters of strings. */
public final class TextProcessing {
    private TextProcessing() {
    }

    public static int vowels(String s) {
        int count = 0;
        for (int i = 0; i < s.length(); i++) {
            if ("aeiouAEIOU".indexOf(s.charAt(i)) >= 0) {
                count++;
            }
        }
        return count;
    }

    public static int words(String s) {
        int count = 0;
        boolean inside = false;
        for (int i = 0; i < s.length(); i++) {
            boolean letter = Character.isLetter(s.charAt(i));
            if (letter && !inside) {
                count++;
            }
            inside = letter;
        }
        return count;
    }

    public static boolean balanced(String s) {
        char[] open = new char[s.length()];
        int depth = 0;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            switch (c) {
                case '(', '[', '{' -> open[depth++] = c;
                case ')', ']', '}' -> {
                    if (depth == 0) {
                        return false;
                    }
                    char o = open[--depth];
                    if (o == '(' && c != ')' || o == '[' && c != ']' || o == '{' && c != '}') {
                        return false;
                    }
                }
                default -> { }
            }
        }
        return depth == 0;
    }

    public static boolean palindrome(String s) {
        for (int i = 0, j = s.length() - 1; i < j; i++, j--) {
            if (s.charAt(i) != s.charAt(j)) {
                return false;
            }
        }
        return true;
    }

    /** A decimal number by hand; -1 where it is none, and it wraps around. */
    public static int number(String s) {
        if (s.isEmpty()) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }

    public static String rotated(String s, int by) {
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c >= 'a' && c <= 'z') {
                c = (char) ('a' + Math.floorMod(c - 'a' + by, 26));
            }
            result.append(c);
        }
        return result.toString();
    }

    public static String runLengths(String s) {
        StringBuilder result = new StringBuilder();
        int i = 0;
        while (i < s.length()) {
            int start = i;
            while (i < s.length() && s.charAt(i) == s.charAt(start)) {
                i++;
            }
            result.append(s.charAt(start)).append(i - start);
        }
        return result.toString();
    }

    public static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    /** A star matches every text, a question mark every character. */
    public static boolean matches(String pattern, String text) {
        return matches(pattern, 0, text, 0);
    }

    private static boolean matches(String pattern, int p, String text, int t) {
        if (p == pattern.length()) {
            return t == text.length();
        } else if (pattern.charAt(p) == '*') {
            return matches(pattern, p + 1, text, t) || t < text.length() && matches(pattern, p, text, t + 1);
        } else {
            return t < text.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t)) && matches(pattern, p + 1, text, t + 1);
        }
    }

    public static int mostFrequent(String s) {
        int[] counts = new int[26];
        int best = -1;
        for (int i = 0; i < s.length(); i++) {
            int letter = s.charAt(i) - 'a';
            if (letter >= 0 && letter < 26) {
                counts[letter]++;
                if (best < 0 || counts[letter] > counts[best]) {
                    best = letter;
                }
            }
        }
        return best;
    }

    public static String secondField(String s) {
        int from = s.indexOf(' ');
        if (from < 0) {
            return null;
        }
        int to = s.indexOf(' ', from + 1);
        return to < 0 ? s.substring(from + 1) : s.substring(from + 1, to);
    }

    public static int characterClasses(char c) {
        return (Character.isDigit(c) ? 1 : 0) + (Character.isLetter(c) ? 2 : 0) + (Character.isUpperCase(c) ? 4 : 0)
            + (Character.isWhitespace(c) ? 8 : 0) + (Character.isLetterOrDigit(c) ? 16 : 0);
    }
}
