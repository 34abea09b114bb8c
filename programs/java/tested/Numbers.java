package tested;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** A parser, and methods over what the JDK has. */
public class Numbers {
    private Numbers() { }

    /** The number that digits write, or -1. */
    public static int parse(String text) {
        if (text.isEmpty()) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = 10 * number + (c - '0');
        }
        return number;
    }

    public static int sum(List<Integer> numbers) {
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    public static int count(Map<String, Integer> counts, String word) {
        Integer known = counts.get(word);
        int count = known == null ? 1 : known + 1;
        counts.put(word, count);
        return count;
    }

    public static int[] swapped(int[] pair) {
        if (pair.length != 2) {
            throw new IllegalArgumentException("no pair");
        }
        return new int[] {pair[1], pair[0]};
    }

    public static String sign(BigDecimal number) {
        return number.signum() < 0 ? "negative" : "not negative";
    }

    public static double half(double number, char c, long big, byte small) {
        return number > 1 && c == '\'' && big < -5_000_000_000L && small == -3 ? number / 2 : 0;
    }
}
