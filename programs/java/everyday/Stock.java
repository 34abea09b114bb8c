package everyday;

import java.util.HashMap;
import java.util.Map;

/** What is in stock: looking up in a map. */
public class Stock {
    static int take(int apples, boolean pears) {
        Map<String, Integer> stock = new HashMap<>();
        stock.put("apple", 3);
        int left = stock.get(pears ? "pear" : "apple") - apples;
        if (left < 0) {
            throw new IllegalStateException("sold out");
        }
        return left;
    }
}
