import java.util.*;

/**
 * Methods over maps and sets that are found by their keys, and over classes of one's own below those of the JDK. A division by zero says that
 * something holds of every input that public calls can make.
 */
public class Keyed {
    static class Cache extends LinkedHashMap<Integer, Integer> {
        int capacity;

        Cache() {
            super(16, 0.75f, true);
        }

        protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
            return size() > capacity;
        }
    }

    // Maps and sets in order
    static int inOrder(LinkedHashMap<Integer, Integer> m) {
        if (m == null || m.size() > 1) return 0;
        int n = 0;
        for (Integer k : m.keySet()) n += m.containsKey(k) ? 1 : 1 / 0;
        return n == m.size() ? n : 1 / 0;
    }

    static int withoutFirst(LinkedHashMap<Integer, Integer> m) {
        if (m == null || m.isEmpty() || m.size() > 1) return 0;
        Iterator<Integer> keys = m.keySet().iterator();
        Integer first = keys.next();
        keys.remove();
        return m.containsKey(first) ? 1 / 0 : 1;
    }

    static int linked(LinkedHashSet<Integer> s) {
        if (s == null || s.size() > 2) return 0;
        int n = 0;
        for (Integer k : s) n += k == null ? 1 : 2;
        return n;
    }

    static int cached(Cache c, int k) {
        return c == null || c.size() > 2 ? 0 : c.get(k) == null ? 1 : 2;
    }

    static int either(HashMap<Integer, Integer> m, int k) {
        return m == null || m.size() > 1 ? 0 : m.containsKey(k) ? 1 : 2;
    }
}
