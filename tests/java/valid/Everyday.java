import java.time.*;
import java.util.*;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Methods that people try first, over collections, enums, records and classes of their own. What a method may throw on an input
 * that public calls can make stands in its throws clause; it throws nothing else. A division by zero says that something holds of
 * every such input.
 */
public class Everyday {
    enum Color {
        RED, GREEN, BLUE;

        int code() {
            return ordinal() * 2;
        }
    }

    enum Op {
        PLUS {
            int apply(int a, int b) {
                return a + b;
            }
        },
        MINUS {
            int apply(int a, int b) {
                return a - b;
            }
        };

        abstract int apply(int a, int b);
    }

    record Point(int x, int y) {}

    record Line(Point from, Point to) {}

    record Range(int low, int high) {
        Range {
            if (low > high) throw new IllegalArgumentException("order");
        }
    }

    record Name(String text) {
        Name {
            Objects.requireNonNull(text);
            if (text.isEmpty()) throw new IllegalArgumentException();
        }
    }

    record Both(Range range, Name name) {
        Both {
            Objects.requireNonNull(range);
            Objects.requireNonNull(name);
        }
    }

    record Percent(int value) {
        Percent(int value) {
            if (value < 0 || value > 100) throw new IllegalArgumentException();
            this.value = value;
        }

        Percent plus(Percent other) {
            return new Percent(Math.min(100, value + other.value));
        }
    }

    record Pair<A, B extends Comparable<B>>(A a, B b) {
        Pair {
            Objects.requireNonNull(b);
        }
    }

    sealed interface Shape permits Circle, Square {}

    record Circle(int r) implements Shape {}

    record Square(int a) implements Shape {}

    static class Account {
        private final List<Integer> moves = new ArrayList<>();
    }

    static class Team {
        List<String> names;
        Set<Color> colors;
        Optional<String> lead;
        Color[] order;
        EnumSet<Color> chosen;
        EnumMap<Color, String> by;
    }

    // Lists
    static int sum(List<Integer> l) {
        if (l == null || l.size() > 2) return 0;
        int s = 0;
        for (Integer x : l) if (x != null) s += x;
        return s;
    }

    static int longest(List<String> l) {
        if (l == null || l.size() > 2) return 0;
        int n = 0;
        for (String s : l) if (s != null && s.length() > n) n = s.length();
        return n;
    }

    static int lists(List<List<String>> l) {
        if (l == null || l.size() > 2) return 0;
        int n = 0;
        for (List<String> x : l) if (x != null) n += x.size();
        return n;
    }

    static double numbers(List<? extends Number> l) {
        if (l == null || l.size() > 2) return 0;
        double s = 0;
        for (Number x : l) if (x != null) s += x.intValue();
        return s;
    }

    static void fill(List<? super Integer> l) {
        if (l != null && l.size() < 2) l.add(1);
    }

    static <T extends Comparable<T>> T max(List<T> l) {
        if (l == null || l.size() > 2) return null;
        T m = null;
        for (T x : l) if (x != null && (m == null || x.compareTo(m) > 0)) m = x;
        return m;
    }

    static int elements(List<String>[] a) {
        if (a == null || a.length == 0 || a[0] == null || a[0].isEmpty() || a[0].get(0) == null) return 0;
        return a[0].get(0).length();
    }

    static int copied(CopyOnWriteArrayList<Integer> l) {
        return l == null || l.isEmpty() ? 0 : l.get(0) == null ? 1 : 2;
    }

    static int collection(Collection<String> c) {
        return c == null ? 0 : c.size() > 1 ? 1 : c.isEmpty() ? 2 : 3;
    }

    static int iterable(Iterable<String> c) {
        if (c == null) return 0;
        int n = 0;
        for (String x : c) if (++n > 2) break;
        return n;
    }

    // Maps
    static int get(Map<String, Integer> m, String k) throws NullPointerException {
        if (m == null || m.size() > 1) return 0;
        Integer v = m.get(k);
        return v == null ? 0 : v;
    }

    static int merged(HashMap<String, Integer> m) {
        if (m == null || m.size() > 2) return 0;
        m.merge("", 1, Integer::sum);
        m.merge("", 1, Integer::sum);
        return m.size();
    }

    static int grouped(Map<Integer, List<String>> m, Integer k) throws NullPointerException {
        if (m == null || m.size() > 1) return 0;
        List<String> l = m.get(k);
        return l == null || l.isEmpty() ? 0 : l.get(0) == null ? 1 : l.get(0).length();
    }

    static int nested(Map<String, Map<String, List<Integer>>> m) {
        if (m == null || m.size() > 1) return 0;
        Map<String, List<Integer>> n = m.get("a");
        if (n == null || n.size() > 1) return 1;
        List<Integer> l = n.get("b");
        return l == null || l.isEmpty() || l.get(0) == null ? 2 : 3;
    }

    static int ordered(TreeMap<Color, Integer> m) {
        if (m == null || m.size() != 2) return 0;
        return m.firstKey().ordinal() < m.lastKey().ordinal() ? 1 : 1 / 0;
    }

    static int keyed(SortedMap<Integer, String> m) {
        return m == null || m.isEmpty() || m.size() > 2 ? 0 : m.firstKey() > 3 ? 1 : 2;
    }

    // Sets and queues
    static int contains(Set<String> s) {
        return s != null && s.size() < 3 && s.contains("a") ? 1 : 0;
    }

    static int constants(HashSet<Color> s) {
        if (s == null || s.size() > 2) return 0;
        int n = 0;
        for (Color c : s) if (c == Color.RED) n++;
        return n < 2 ? 1 : 1 / 0;
    }

    static int sorted(TreeSet<Color> s) {
        return s == null || s.size() > 2 ? 0 : s.contains(Color.GREEN) ? 1 : 2;
    }

    static int bounds(NavigableSet<Integer> s) {
        return s == null || s.isEmpty() || s.size() > 2 ? 0 : s.first() <= s.last() ? 1 : 1 / 0;
    }

    static int deque(Deque<Integer> d) {
        if (d == null || d.isEmpty()) return 0;
        Integer x = d.pop();
        return x == null ? 1 : x > 0 ? 2 : 3;
    }

    static int queue(Queue<String> q) {
        if (q == null || q.isEmpty()) return 0;
        String s = q.poll();
        return s == null ? 1 : s.length();
    }

    static int waiting(ArrayDeque<Color> s) {
        return s == null || s.size() > 2 ? 0 : s.isEmpty() == (s.peek() == null) ? 1 : 1 / 0;
    }

    static int least(PriorityQueue<Integer> q) {
        if (q == null || q.isEmpty() || q.size() > 3) return 0;
        int a = q.poll();
        return q.isEmpty() || q.peek() >= a ? 1 : 1 / 0;
    }

    static int first(PriorityQueue<Color> q) {
        if (q == null || q.size() != 2) return 0;
        Color a = q.poll();
        return a.ordinal() <= q.peek().ordinal() ? 1 : 1 / 0;
    }

    static int bits(BitSet b) {
        return b == null ? 0 : b.get(3) ? 1 : 2;
    }

    // Enums
    static int color(Color c) {
        if (c == null) return 0;
        switch (c) {
            case RED: return 1;
            case GREEN: return 2;
            case BLUE: return c.code();
            default: throw new AssertionError();
        }
    }

    static int operation(Op o, int a) {
        return o == null ? 0 : o.apply(a, 1);
    }

    static int colors(Color[] cs) {
        if (cs == null || cs.length > 2) return 0;
        int n = 0;
        for (Color c : cs) if (c == Color.RED) n++;
        return n;
    }

    static int listed(List<Color> cs) {
        if (cs == null || cs.isEmpty() || cs.get(0) == null) return 0;
        return cs.get(0).ordinal() < 3 ? 1 : 1 / 0;
    }

    static int subset(EnumSet<Color> s) {
        if (s == null) return -1;
        int n = 0;
        for (Color c : Color.values()) if (s.contains(c)) n |= 1 << c.ordinal();
        return n;
    }

    static int size(EnumSet<Color> s) {
        return s == null ? 0 : s.size() <= 3 ? 1 : 1 / 0;
    }

    static int walk(EnumSet<Color> s) {
        if (s == null) return 0;
        int n = 0;
        for (Color c : s) n += c.ordinal();
        return n;
    }

    static boolean added(EnumSet<Op> s, Op o) {
        return s != null && o != null && s.add(o);
    }

    static int complement(EnumSet<Color> s) {
        return s == null ? 0 : s.size() + EnumSet.complementOf(s).size() == 3 ? 1 : 1 / 0;
    }

    static int presence(EnumMap<Color, Integer> m) {
        if (m == null) return -1;
        int n = 0, all = 0;
        for (Color c : Color.values()) {
            if (m.containsKey(c)) {
                n++;
                all |= 1 << c.ordinal();
            }
        }
        return n == m.size() ? all : 1 / 0;
    }

    static int entries(EnumMap<Color, String> m) {
        if (m == null) return 0;
        int n = 0;
        for (Map.Entry<Color, String> e : m.entrySet()) n += e.getKey().ordinal() < 3 ? 1 : 1 / 0;
        return n;
    }

    static String put(EnumMap<Color, String> m, Color c) {
        return m == null || c == null ? "" : m.put(c, "a");
    }

    static int compared(Comparable<Integer> c) {
        return c == null ? 0 : c.compareTo(3) > 0 ? 1 : 2;
    }

    // Records
    static int point(Point p) {
        return p == null ? 0 : p.x() > p.y() ? 1 : 2;
    }

    static int line(Line l) {
        return l == null || l.from() == null || l.to() == null ? 0 : l.from().equals(l.to()) ? 1 : 2;
    }

    static int range(Range r) {
        return r == null ? 0 : r.low() <= r.high() ? 1 : 1 / 0;
    }

    static int name(Name n) {
        return n == null ? 0 : n.text().charAt(0);
    }

    static int both(Both b) {
        if (b == null) return 0;
        return b.range().low() <= b.range().high() && b.name().text().length() > 0 ? 1 : 1 / 0;
    }

    static int ranges(List<Range> l) {
        if (l == null || l.size() != 1 || l.get(0) == null) return 0;
        return l.get(0).low() <= l.get(0).high() ? 1 : 1 / 0;
    }

    static int rangesOf(Range[] l) {
        if (l == null || l.length < 2 || l[0] == null || l[1] == null) return 0;
        return l[0].low() <= l[0].high() && l[1].low() <= l[1].high() ? 1 : 1 / 0;
    }

    static Percent percent(Percent p, Percent q) {
        return p == null || q == null ? null : p.plus(q);
    }

    static int pair(Pair<String, Integer> p) {
        return p == null ? 0 : p.b() > 3 ? 1 : 2;
    }

    static int shape(Shape s) {
        if (s instanceof Circle c) return c.r();
        if (s instanceof Square q) return q.a();
        return s == null ? 0 : 1 / 0;
    }

    // Dates
    static int lastDay(LocalDate d) {
        return d == null ? 0 : d.getDayOfMonth() <= d.lengthOfMonth() ? 1 : 1 / 0;
    }

    static int leapDay(LocalDate d) {
        return d == null ? 0 : d.getMonthValue() != 2 || d.getDayOfMonth() < 29 ? 1 : d.isLeapYear() ? 2 : 1 / 0;
    }

    static int hours(LocalDateTime d) {
        return d == null ? 0 : d.getHour() > 22 ? 1 : d.getDayOfMonth() > 30 ? 2 : 3;
    }

    static int whole(Duration d) {
        return d == null ? 0 : d.getNano() < 1_000_000_000 ? 1 : 1 / 0;
    }

    // Boxes and classes of one's own
    static int optional(Optional<String> o) {
        return o == null ? 0 : o.map(String::length).orElse(-1);
    }

    static int boxes(Integer a, Long b, Boolean c, Character d) {
        if (a == null || b == null || c == null || d == null) return 0;
        return c ? a : d > 'x' ? 1 : (int) (long) b;
    }

    static int account(Account a) {
        if (a == null || a.moves == null || a.moves.isEmpty()) return 0;
        return a.moves.get(0) == null ? 1 : a.moves.get(0);
    }

    static int teamColors(Team t) {
        return t == null || t.colors == null || t.colors.size() > 2 ? 0 : t.colors.contains(Color.RED) ? 1 : 2;
    }

    static int teamOrder(Team t) {
        if (t == null || t.order == null || t.order.length == 0 || t.order[0] == null) return 0;
        return t.order[0].ordinal() < 3 ? 1 : 1 / 0;
    }

    static int teamChosen(Team t) {
        return t == null || t.chosen == null ? 0 : t.chosen.contains(Color.RED) ? 1 : 2;
    }

    static int teamBy(Team t) {
        return t == null || t.by == null ? 0 : t.by.containsKey(Color.RED) ? 1 : 2;
    }

    static int teamLead(Team t) {
        return t == null || t.lead == null ? 0 : t.lead.isPresent() ? t.lead.get().length() : 1;
    }
}
