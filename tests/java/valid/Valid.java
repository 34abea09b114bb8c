import java.time.*;
import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

/**
 * Methods as people write them, over collections, records and generic types. What a method may throw on an input that a program
 * can make stands in its throws clause; it throws nothing else.
 */
public class Valid {
    record Item(String name, int price) {}

    record Pair<A, B>(A first, B second) {}

    static class Box<T> {
        T value;
        Box<T> next;
        List<T> all;
    }

    static class Names extends ArrayList<String> {}

    static class Shelf {
        private final List<Item> items = new ArrayList<>();
        private Map<String, Item> byName = new HashMap<>();

        int count() throws NullPointerException {
            return items.size();
        }

        Item first() throws NullPointerException {
            return items.isEmpty() ? null : items.get(0);
        }
    }

    static class Sorted<T extends Comparable<T>> {
        List<T> list;

        boolean inOrder() {
            if (list == null || list.size() < 2) return true;
            T a = list.get(0), b = list.get(1);
            return a == null || b == null || a.compareTo(b) <= 0;
        }
    }

    static class Stack2<T> {
        class Node {
            T value;
            Node next;
        }

        Node head;
    }

    // Lists
    static int first(List<Integer> l) {
        if (l == null || l.isEmpty()) return -1;
        Integer x = l.get(0);
        return x == null ? 0 : x;
    }

    static int unboxed(List<Integer> l) throws NullPointerException {
        return l.isEmpty() ? 0 : l.get(0);
    }

    static int beyond(List<Integer> l) throws NullPointerException, IndexOutOfBoundsException {
        return l.get(3) == null ? 0 : 1;
    }

    static int length(List<String> l) {
        if (l == null || l.size() < 1) return -1;
        String s = l.get(l.size() - 1);
        return s == null ? 0 : s.length();
    }

    static int price(ArrayList<Item> l) {
        if (l == null || l.isEmpty()) return 0;
        Item item = l.get(0);
        return item == null ? 0 : item.price() > 10 ? 1 : 2;
    }

    static int numbers(List<? extends Number> l) {
        if (l == null || l.isEmpty() || l.get(0) == null) return 0;
        return l.get(0).intValue();
    }

    static int anything(List<?> l) {
        return l == null || l.isEmpty() ? 0 : l.get(0) instanceof String ? 1 : 2;
    }

    static void added(List<Integer> l) {
        if (l != null && l.size() < 3) l.add(7);
    }

    static int last(LinkedList<String> l) {
        if (l == null || l.isEmpty()) return -1;
        String s = l.getLast();
        return s == null ? 0 : s.length();
    }

    static int removed(LinkedList<Integer> l) throws NullPointerException, NoSuchElementException {
        return l.removeFirst() == null ? 0 : l.size();
    }

    static int pushed(LinkedList<Integer> l, int x) {
        if (l == null) return 0;
        l.addFirst(x);
        return l.getFirst();
    }

    static int names(Names n) {
        return n == null || n.isEmpty() || n.get(0) == null ? 0 : n.get(0).length();
    }

    static int nested(List<List<Integer>> l) {
        if (l == null || l.isEmpty() || l.get(0) == null || l.get(0).isEmpty()) return 0;
        Integer x = l.get(0).get(0);
        return x == null ? 1 : x > 0 ? 2 : 3;
    }

    static int vector(Vector<Integer> v) {
        if (v == null || v.size() == 0) return 0;
        return v.firstElement() == null ? 1 : v.firstElement() > 3 ? 2 : 3;
    }

    static int popped(Stack<Integer> s) throws NullPointerException, EmptyStackException {
        Integer top = s.pop();
        return top == null ? 0 : top;
    }

    static <T> T head(List<T> l) {
        return l == null || l.isEmpty() ? null : l.get(0);
    }

    static <T extends Comparable<T>> boolean greater(List<T> l, T x) {
        if (l == null || l.isEmpty() || l.get(0) == null || x == null) return false;
        return l.get(0).compareTo(x) > 0;
    }

    static int ofLists(List<Integer> a, List<String> b) {
        if (a == null || b == null || a.isEmpty() || b.isEmpty()) return 0;
        Integer x = a.get(0);
        return x == null || b.get(0) == null ? 1 : 2;
    }

    // Queues
    static int polled(ArrayDeque<Integer> d) {
        if (d == null) return 0;
        Integer x = d.pollFirst();
        return x == null ? 1 : x > 3 ? 2 : 3;
    }

    static int peeked(Deque<String> d) {
        if (d == null) return 0;
        String s = d.peekLast();
        return s == null ? 1 : s.length() > 1 ? 2 : 3;
    }

    static int offered(ArrayDeque<Integer> d) {
        if (d == null || d.size() > 1) return 0;
        d.addLast(5);
        return d.getLast();
    }

    static int element(ArrayDeque<Integer> d) throws NullPointerException, NoSuchElementException {
        return d.removeFirst();
    }

    static int least(PriorityQueue<Integer> q) {
        if (q == null) return 0;
        Integer x = q.peek();
        return x == null ? 1 : x > 3 ? 2 : 3;
    }

    static int taken(PriorityQueue<Integer> q) {
        if (q == null || q.size() > 2) return 0;
        Integer x = q.poll();
        return x == null ? 1 : q.size();
    }

    // Maps and sets
    static int got(HashMap<Integer, Integer> m, int k) {
        if (m == null || m.size() > 2) return 0;
        Integer v = m.get(k);
        return v == null ? 1 : v > 3 ? 2 : 3;
    }

    static int counted(Map<String, Integer> m) {
        return m == null ? 0 : m.size() > 1 ? 1 : 2;
    }

    static int present(HashSet<Integer> s, int x) {
        return s == null || s.size() > 2 ? 0 : s.contains(x) ? 1 : 2;
    }

    static int isEmpty(Set<String> s) {
        return s == null ? 0 : s.isEmpty() ? 1 : 2;
    }

    static int lowest(TreeMap<Integer, String> m) {
        if (m == null || m.size() > 3 || m.isEmpty()) return 0;
        String s = m.firstEntry().getValue();
        return s == null ? 1 : s.length() > 1 ? 2 : 3;
    }

    static int found(TreeMap<Integer, Integer> m, int k) {
        if (m == null || m.size() > 2) return 0;
        return m.containsKey(k) ? 1 : 2;
    }

    static int smallest(TreeSet<Integer> s) {
        return s == null || s.size() > 2 || s.isEmpty() ? 0 : s.first() > 3 ? 1 : 2;
    }

    static int entry(Map.Entry<String, Integer> e) {
        if (e == null || e.getKey() == null || e.getValue() == null) return 0;
        return e.getKey().length() + e.getValue() > 3 ? 1 : 2;
    }

    // Generic classes
    static int box(Box<Integer> b) {
        if (b == null || b.next == null || b.next.value == null) return 0;
        return b.next.value > 3 ? 1 : 2;
    }

    static int boxed(Box<List<String>> b) {
        if (b == null || b.value == null || b.value.isEmpty() || b.value.get(0) == null) return 0;
        return b.value.get(0).length();
    }

    static int all(Box<Item> b) {
        if (b == null || b.all == null || b.all.isEmpty() || b.all.get(0) == null) return 0;
        return b.all.get(0).price();
    }

    static int pair(Pair<String, Integer> p) {
        if (p == null || p.first() == null || p.second() == null) return 0;
        return p.first().length() > p.second() ? 1 : 2;
    }

    static int inner(Stack2<String> s) {
        if (s == null || s.head == null || s.head.next == null || s.head.next.value == null) return 0;
        return s.head.next.value.length();
    }

    static int shelves(Map<String, List<Item>> m) {
        return m == null || m.isEmpty() ? 0 : 1;
    }

    // Values
    static int optional(Optional<String> o) {
        return o == null ? 0 : o.isPresent() ? o.get().length() : -1;
    }

    static int mapped(Optional<Integer> o) {
        return o == null ? 0 : o.map(x -> x > 3 ? 1 : 2).orElse(3);
    }

    static int atomic(AtomicInteger a) {
        return a == null ? 0 : a.incrementAndGet() > 3 ? 1 : 2;
    }

    static int reference(AtomicReference<String> a) {
        return a == null || a.get() == null ? 0 : a.get().length();
    }

    static int built(StringBuilder b) {
        return b == null || b.length() == 0 ? 0 : b.charAt(0) == 'a' ? 1 : 2;
    }

    static int appended(StringBuilder b) {
        if (b == null || b.length() > 2) return 0;
        return b.append("xy").length();
    }

    static int date(LocalDate d) {
        return d == null ? 0 : d.isLeapYear() ? 1 : d.getMonthValue() > 6 ? 2 : 3;
    }

    static int month(LocalDate d) {
        return d == null ? 0 : d.getMonth() == Month.MAY ? 1 : 2;
    }

    static int hour(LocalTime t) {
        return t == null ? 0 : t.getHour() < 24 ? 1 : 1 / (t.getHour() - t.getHour());
    }

    static int both(LocalDateTime d) {
        return d == null ? 0 : d.getHour() > d.getDayOfMonth() ? 1 : 2;
    }

    static int duration(Duration d) {
        return d == null ? 0 : d.getNano() >= 0 ? 1 : 1 / (d.getNano() - d.getNano());
    }

    static int instant(Instant i) {
        return i == null ? 0 : i.getNano() >= 0 ? 1 : 1 / (i.getNano() - i.getNano());
    }

    // Functions
    static int applied(Function<Integer, String> f, Integer x) {
        if (f == null) return 0;
        String s = f.apply(x);
        return s == null ? 1 : s.length() > 2 ? 2 : 3;
    }

    static int either(boolean first, Supplier<List<Integer>> s, Supplier<List<String>> t) {
        if (s == null || t == null) return 0;
        if (first) {
            List<Integer> l = s.get();
            return l == null || l.isEmpty() || l.get(0) == null ? 1 : l.get(0) > 3 ? 2 : 3;
        }
        List<String> l = t.get();
        return l == null || l.isEmpty() || l.get(0) == null ? 4 : l.get(0).isEmpty() ? 5 : 6;
    }

    static int supplied(Supplier<List<Integer>> s) {
        if (s == null) return 0;
        List<Integer> l = s.get();
        if (l == null || l.isEmpty() || l.get(0) == null) return 1;
        return l.get(0) > 3 ? 2 : 3;
    }

    static int tested(Predicate<String> p, List<String> l) {
        if (p == null || l == null || l.isEmpty()) return 0;
        return p.test(l.get(0)) ? 1 : 2;
    }

    static int compared(Comparator<Item> c, Item a, Item b) {
        return c == null ? 0 : c.compare(a, b) > 0 ? 1 : 2;
    }

    static int iterated(Iterator<String> i) {
        if (i == null || !i.hasNext()) return 0;
        String s = i.next();
        return s == null ? 1 : s.length();
    }

    static int merged(BiFunction<String, Integer, Item> f) {
        if (f == null) return 0;
        Item item = f.apply("a", 1);
        return item == null ? 1 : item.price();
    }
}
