import java.util.*;

/**
 * Methods over maps and sets whose keys are of classes of all kinds: what a map has, it finds again by `equals` and `hashCode` or by
 * `compareTo` of its keys. A division by zero says that something holds of every input that public calls can make.
 */
public class Keys {
    enum Color { RED, GREEN, BLUE }

    record Point(int x, int y) {}

    record Name(String text, int number) {}

    static final class Id {
        private final long number;

        Id(long number) {
            this.number = number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Id && ((Id) other).number == number;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }

    record Version(int major, int minor) implements Comparable<Version> {
        public int compareTo(Version other) {
            return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
        }
    }

    static class Ticket {}

    // Maps by hash codes
    static int strings(HashMap<String, Integer> m) {
        if (m == null || m.size() > 1) return 0;
        int n = 0;
        for (String k : m.keySet()) n += m.containsKey(k) ? 1 : 1 / 0;
        return n;
    }

    static int twoStrings(HashMap<String, Integer> m) {
        if (m == null || m.size() != 2) return 1;
        int n = 0;
        for (String k : m.keySet()) n += m.containsKey(k) ? 1 : 1 / 0;
        return n == m.size() ? n : 1 / 0;
    }

    static int longs(Map<Long, Integer> m) {
        if (m == null || m.size() > 1) return 0;
        int n = 0;
        for (Long k : m.keySet()) n += m.containsKey(k) ? 1 : 1 / 0;
        return n;
    }

    static int merged(HashMap<Character, Integer> m) {
        if (m == null || m.size() != 1) return 0;
        m.merge(m.keySet().iterator().next(), 1, Integer::sum);
        return m.size() == 1 ? 1 : 1 / 0;
    }

    static int removed(HashMap<Point, String> m) {
        if (m == null || m.size() != 1) return 0;
        m.remove(m.keySet().iterator().next());
        return m.isEmpty() ? 1 : 1 / 0;
    }

    static int names(HashMap<Name, Integer> m) {
        if (m == null || m.size() != 1) return 0;
        for (Name k : m.keySet()) if (!m.containsKey(k)) return 1 / 0;
        return 1;
    }

    static int replaced(HashMap<Double, Integer> m) {
        if (m == null || m.size() != 1) return 0;
        for (Map.Entry<Double, Integer> e : m.entrySet()) if (m.get(e.getKey()) != e.getValue()) return 1 / 0;
        return 1;
    }

    static int ids(HashMap<Id, Integer> m) {
        if (m == null || m.size() != 1) return 0;
        Id first = m.keySet().iterator().next();
        return first == null || m.containsKey(new Id(first.number)) ? 1 : 1 / 0;
    }

    static int colors(HashMap<Color, Integer> m) {
        if (m == null || m.size() > 1) return 0;
        int n = 0;
        for (Color k : m.keySet()) n += m.containsKey(k) ? 1 : 1 / 0;
        return n;
    }

    static int tickets(HashSet<Ticket> s) {
        if (s == null || s.size() != 1) return 0;
        return s.contains(s.iterator().next()) ? 1 : 1 / 0;
    }

    static int contained(HashSet<String> s) {
        if (s == null || s.size() != 1) return 0;
        String first = s.iterator().next();
        return !s.contains(first) || s.add(first) ? 1 / 0 : 1;
    }

    static int linked(LinkedHashMap<String, Integer> m) {
        if (m == null || m.size() > 1) return 0;
        int n = 0;
        for (String k : m.keySet()) n += m.containsKey(k) ? 1 : 1 / 0;
        return n;
    }

    static int find(HashMap<String, Integer> m, String k) {
        return m == null || m.size() > 1 ? 0 : m.containsKey(k) ? 1 : 2;
    }

    // In order
    static int sorted(TreeMap<String, Integer> m) {
        if (m == null || m.size() > 2) return 0;
        int n = 0;
        for (String k : m.keySet()) n += m.containsKey(k) ? 1 : 1 / 0;
        return n == m.size() ? n : 1 / 0;
    }

    static int ends(TreeSet<Long> s) {
        if (s == null || s.size() != 2) return 0;
        return s.first() < s.last() ? 1 : 1 / 0;
    }

    static int versions(TreeMap<Version, Integer> m) {
        if (m == null || m.size() != 2) return 0;
        return m.firstKey().compareTo(m.lastKey()) < 0 ? 1 : 1 / 0;
    }

    static int points(TreeMap<Point, Integer> m) {
        return m == null ? 0 : m.isEmpty() || m.firstKey() == null ? 1 : 1 / 0;
    }

    static int queued(PriorityQueue<String> q) {
        if (q == null || q.size() != 2) return 0;
        return q.poll().compareTo(q.poll()) <= 0 ? 1 : 1 / 0;
    }
}
