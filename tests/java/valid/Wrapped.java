import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/**
 * Methods over interfaces whose objects are of classes that only the library can make: wrappers, immutable collections, iterators. What
 * a method may throw stands in its throws clause; it throws nothing else.
 */
public class Wrapped {
    static int last(List<Integer> l) {
        if (l == null || l.isEmpty()) return 0;
        Integer x = l.get(l.size() - 1);
        return x == null ? 1 : x > 3 ? 2 : 3;
    }

    static int changed(List<Integer> l) throws UnsupportedOperationException {
        if (l == null) return 0;
        l.add(1);
        return 1;
    }

    static int added(List<Integer> l) {
        if (l == null) return 0;
        int before = l.size();
        l.add(1);
        if (l.size() != before + 1 || l.get(before) != 1) throw new IllegalStateException();
        return 1;
    }

    static int all(Collection<Integer> c) {
        if (c == null || c.size() > 1) return 0;
        for (Integer x : c) if (!c.contains(x)) throw new IllegalStateException();
        return c.isEmpty() ? 1 : 2;
    }

    static int contained(Set<Integer> s) {
        if (s == null) return 0;
        return s.contains(7) ? s.size() > 1 ? 1 : 2 : 3;
    }

    static int iterated(Set<Integer> s) {
        if (s == null) return 0;
        for (Integer x : s) if (!s.contains(x)) throw new IllegalStateException();
        return 1;
    }

    static int found(Map<Integer, String> m) {
        if (m == null) return 0;
        String s = m.get(7);
        if (s != null && !m.containsKey(7)) throw new IllegalStateException();
        return s == null ? 1 : 2;
    }

    static int put(ConcurrentMap<Integer, String> m) {
        if (m == null) return 0;
        int before = m.size();
        boolean known = m.containsKey(7);
        m.put(7, "a");
        if (m.size() != (known ? before : before + 1) || !m.get(7).equals("a")) throw new IllegalStateException();
        return known ? 1 : 2;
    }

    static int keys(ConcurrentHashMap<String, Integer> m) {
        if (m == null || m.size() > 1) return 0;
        for (String key : m.keySet()) if (m.get(key) == null) throw new IllegalStateException();
        return m.isEmpty() ? 1 : 2;
    }

    static int next(Iterator<Integer> i) {
        if (i == null || !i.hasNext()) return 0;
        Integer x = i.next();
        i.remove();
        return x == null ? 1 : x > 3 ? 2 : 3;
    }

    static int set(AtomicBoolean b) {
        if (b == null) return 0;
        if (b.get() && !b.compareAndSet(true, false)) throw new IllegalStateException();
        return b.get() ? 1 : 2;
    }

    static int counted(AtomicReferenceArray<String> a) {
        if (a == null || a.length() == 0) return 0;
        return a.get(0) == null ? 1 : a.get(0).length() > 1 ? 2 : 3;
    }
}
