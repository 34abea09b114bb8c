package faulty;

import java.util.Map;

/** What is not in the map is null, and null is no number. */
public class Stock {
    public static int left(Map<Integer, Integer> stock, int item, int wanted) {
        int there = stock.get(item); // fails
        return there - wanted;
    }
}
