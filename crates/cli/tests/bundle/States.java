import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.*;

/**
 * The states of an object that public calls lead to, a line each: all that are found breadth first, up to a size.
 *
 * Arguments: the class, the size, the least and the greatest number that is shown, and what is shown of each class, as
 * `ArrayDeque head tail elements[!];Node key next`: a field is shown as it is, `field!` as null or not, `field#` as the length of an
 * array, `field[]` and `field[!]` with its elements.
 */
public class States {
    static final Map<String, String[]> SHOWN = new HashMap<>();
    static int size, least, greatest;
    static final Integer[] KEYS = { 0, 1, 2, 3, 4, 5, 6 };

    /** What begins, and what can be done next. */
    record Subject(List<Supplier<Object>> begin, List<Consumer<Object>> next) {}

    public static void main(String[] arguments) throws Exception {
        size = Integer.parseInt(arguments[1]);
        least = Integer.parseInt(arguments[2]);
        greatest = Integer.parseInt(arguments[3]);
        for (String line : arguments[4].split(";")) {
            String[] words = line.split(" ");
            SHOWN.put(words[0], Arrays.copyOfRange(words, 1, words.length));
        }
        explore(subject(arguments[0])).forEach(System.out::println);
    }

    /** Sequences of calls, shortest first; one for every state is gone on from. */
    static Set<String> explore(Subject subject) throws Exception {
        Set<String> seen = new HashSet<>();
        Set<String> small = new TreeSet<>();
        record Calls(int begin, List<Integer> next) {}
        ArrayDeque<Calls> open = new ArrayDeque<>();
        for (int i = 0; i < subject.begin.size(); i++) open.add(new Calls(i, List.of()));
        while (!open.isEmpty() && seen.size() < 20_000) {
            Calls calls = open.remove();
            Object object = subject.begin.get(calls.begin).get();
            try {
                for (int next : calls.next) subject.next.get(next).accept(object);
            } catch (RuntimeException refused) {
                continue;
            }
            Dump dump = new Dump();
            String text = dump.of(object, "");
            // A little larger ones may become small again.
            if (!seen.add(text) || dump.largest > size + 1) continue;
            if (dump.largest <= size && dump.within) small.add(text);
            for (int i = 0; i < subject.next.size(); i++) {
                List<Integer> longer = new ArrayList<>(calls.next);
                longer.add(i);
                open.add(new Calls(calls.begin, longer));
            }
        }
        return small;
    }

    static class Dump {
        final Map<Object, Integer> met = new IdentityHashMap<>();
        final Map<Class<?>, Integer> counts = new HashMap<>();
        int largest;
        boolean within = true;

        String of(Object value, String kind) throws Exception {
            if (kind.equals("!")) return value == null ? "-" : "x";
            if (value == null) return "-";
            if (value instanceof Boolean b) return b ? "1" : "0";
            if (value instanceof Number n && !SHOWN.containsKey(value.getClass().getSimpleName())) {
                within &= n.longValue() >= least && n.longValue() <= greatest;
                return n.toString();
            }
            if (kind.equals("#")) {
                largest = Math.max(largest, Array.getLength(value));
                return "" + Array.getLength(value);
            }
            if (kind.startsWith("[")) {
                int length = Array.getLength(value);
                largest = Math.max(largest, length);
                StringJoiner all = new StringJoiner(" ", "[", "]");
                for (int i = 0; i < length; i++) all.add(of(Array.get(value, i), kind.equals("[!]") ? "!" : ""));
                return all.toString();
            }
            // One or two elements have a class of their own, which the file does not tell apart.
            if (value instanceof List<?> list && value.getClass().getSimpleName().equals("List12") && SHOWN.containsKey("ListN")) {
                return list.size() == 1 ? "ListN([x] 0)" : "ListN([x x] 0)";
            }
            Integer known = met.get(value);
            if (known != null) return "#" + known;
            met.put(value, met.size());
            int count = counts.merge(value.getClass(), 1, Integer::sum);
            largest = Math.max(largest, count);
            StringJoiner all = new StringJoiner(" ", value.getClass().getSimpleName() + "(", ")");
            for (String field : SHOWN.get(value.getClass().getSimpleName())) {
                int end = field.length();
                while ("!#[]".indexOf(field.charAt(end - 1)) >= 0) end--;
                all.add(of(field(value, field.substring(0, end)), field.substring(end)));
            }
            return all.toString();
        }
    }

    /** A number keeps its type: only objects are shown by their fields. */
    static Object field(Object object, String name) throws Exception {
        for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (field.getName().equals(name) && !Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    Object value = field.get(object);
                    return field.getType().isPrimitive() && value instanceof Integer i ? (Object) i.longValue() : value;
                }
            }
        }
        throw new NoSuchFieldException(name);
    }

    static List<Supplier<Object>> sizes(IntFunction<Object> make, int from) {
        List<Supplier<Object>> all = new ArrayList<>();
        for (int i = from; i <= 9; i++) {
            int capacity = i;
            all.add(() -> make.apply(capacity));
        }
        return all;
    }

    static List<Supplier<Object>> with(Supplier<Object> first, List<Supplier<Object>> others) {
        others.add(first);
        return others;
    }

    @SuppressWarnings("unchecked")
    static Subject subject(String name) {
        List<Consumer<Object>> next = new ArrayList<>();
        Consumer<Consumer<Collection<Integer>>> on = call -> next.add(o -> call.accept((Collection<Integer>) o));
        switch (name) {
            case "java.util.ArrayList", "java.util.Vector", "java.util.LinkedList", "java.util.PriorityQueue" -> {
                for (Integer key : KEYS) on.accept(c -> c.add(key));
                for (Integer key : KEYS) on.accept(c -> c.remove(key));
                on.accept(Collection::clear);
                if (name.endsWith("ArrayList")) next.add(o -> ((ArrayList<Integer>) o).trimToSize());
                if (name.endsWith("Vector")) next.add(o -> ((Vector<Integer>) o).trimToSize());
                return switch (name) {
                    case "java.util.ArrayList" -> new Subject(sizes(ArrayList::new, 0), next);
                    case "java.util.Vector" -> new Subject(sizes(Vector::new, 0), next);
                    case "java.util.PriorityQueue" -> new Subject(sizes(PriorityQueue::new, 1), next);
                    default -> new Subject(List.of(LinkedList::new), next);
                };
            }
            case "java.util.ArrayDeque" -> {
                next.add(o -> ((ArrayDeque<Integer>) o).addFirst(1));
                next.add(o -> ((ArrayDeque<Integer>) o).addLast(1));
                next.add(o -> ((ArrayDeque<Integer>) o).pollFirst());
                next.add(o -> ((ArrayDeque<Integer>) o).pollLast());
                return new Subject(sizes(ArrayDeque::new, 0), next);
            }
            case "java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap", "java.util.concurrent.ConcurrentHashMap" -> {
                List<Integer> keys = new ArrayList<>(List.of(KEYS));
                if (name.endsWith("HashMap") && !name.endsWith("ConcurrentHashMap")) keys.add(null);
                for (Integer key : keys) {
                    next.add(o -> ((Map<Integer, Integer>) o).put(key, 7));
                    next.add(o -> ((Map<Integer, Integer>) o).remove(key));
                }
                if (name.endsWith("TreeMap")) return new Subject(List.of(TreeMap::new), next);
                for (Integer key : keys) {
                    // These make room before they add an entry, not after.
                    next.add(o -> ((Map<Integer, Integer>) o).computeIfAbsent(key, k -> 7));
                    next.add(o -> ((Map<Integer, Integer>) o).computeIfAbsent(key, k -> null));
                }
                if (name.endsWith("LinkedHashMap")) {
                    // What is looked at goes to the end of the list.
                    for (Integer key : keys) next.add(o -> ((Map<Integer, Integer>) o).get(key));
                    return new Subject(with(LinkedHashMap::new, sizes(n -> new LinkedHashMap<>(n, 0.75f, true), 0)), next);
                }
                if (name.endsWith("ConcurrentHashMap")) {
                    // Another load factor says how long the first table is, and nothing else.
                    Supplier<Object> shortest = () -> new ConcurrentHashMap<>(1, 10f);
                    return new Subject(with(shortest, with(ConcurrentHashMap::new, sizes(ConcurrentHashMap::new, 0))), next);
                }
                return new Subject(with(HashMap::new, sizes(HashMap::new, 0)), next);
            }
            case "java.util.HashSet", "java.util.LinkedHashSet", "java.util.TreeSet" -> {
                List<Integer> keys = new ArrayList<>(List.of(KEYS));
                if (name.endsWith("HashSet")) keys.add(null);
                for (Integer key : keys) {
                    on.accept(c -> c.add(key));
                    on.accept(c -> c.remove(key));
                }
                return switch (name) {
                    case "java.util.HashSet" -> new Subject(with(HashSet::new, sizes(HashSet::new, 0)), next);
                    case "java.util.LinkedHashSet" -> new Subject(sizes(LinkedHashSet::new, 0), next);
                    default -> new Subject(List.of(TreeSet::new), next);
                };
            }
            case "java.lang.AbstractStringBuilder" -> {
                next.add(o -> ((StringBuilder) o).append('a'));
                next.add(o -> ((StringBuilder) o).setLength(0));
                next.add(o -> ((StringBuilder) o).trimToSize());
                return new Subject(sizes(StringBuilder::new, 0), next);
            }
            case "java.util.BitSet" -> {
                for (int word = 0; word < 4; word++) {
                    int bit = 64 * word + word;
                    next.add(o -> ((BitSet) o).set(bit));
                    next.add(o -> ((BitSet) o).clear(bit));
                }
                return new Subject(sizes(words -> new BitSet(64 * words), 0), next);
            }
            case "java.util.concurrent.CopyOnWriteArrayList" -> {
                on.accept(c -> c.add(1));
                on.accept(Collection::clear);
                return new Subject(List.of(CopyOnWriteArrayList::new), next);
            }
            case "java.math.BigDecimal" -> {
                return values(v -> BigDecimal.valueOf(v[0], v[1]), 2);
            }
            case "java.util.ImmutableCollections$ListN" -> {
                return new Subject(
                    List.of(
                        List::of, () -> List.of(1), () -> List.of(1, 2), () -> List.of(1, 2, 3), () -> List.of(1, 2, 3, 4),
                        () -> List.of(1, 2, 3, 4, 5)), next);
            }
            case "java.util.ImmutableCollections$List12" -> {
                return pairs((a, b) -> List.of(a, b), true);
            }
            case "java.util.ImmutableCollections$Map1" -> {
                return pairs((a, b) -> Map.of(a, b), true);
            }
            case "java.util.ImmutableCollections$Set12" -> {
                return pairs((a, b) -> Set.of(a, b), false);
            }
            case "java.util.Collections$UnmodifiableList" -> {
                return States.<List<Integer>>wrapped(Collections::unmodifiableList, room -> new LinkedList<>());
            }
            case "java.util.Collections$UnmodifiableRandomAccessList" -> {
                return States.<List<Integer>>wrapped(Collections::unmodifiableList, ArrayList::new);
            }
            case "java.util.Collections$UnmodifiableCollection" -> {
                return States.<Collection<Integer>>wrapped(Collections::unmodifiableCollection, ArrayList::new);
            }
            case "java.util.Collections$UnmodifiableSet" -> {
                return States.<Set<Integer>>wrapped(Collections::unmodifiableSet, HashSet::new);
            }
            case "java.util.Collections$SynchronizedList" -> {
                return States.<List<Integer>>wrapped(Collections::synchronizedList, room -> new LinkedList<>());
            }
            case "java.util.Collections$SynchronizedRandomAccessList" -> {
                return States.<List<Integer>>wrapped(Collections::synchronizedList, ArrayList::new);
            }
            case "java.util.Collections$SynchronizedCollection" -> {
                return States.<Collection<Integer>>wrapped(Collections::synchronizedCollection, ArrayList::new);
            }
            case "java.util.Collections$SynchronizedSet" -> {
                return States.<Set<Integer>>wrapped(Collections::synchronizedSet, HashSet::new);
            }
            case "java.util.Collections$UnmodifiableMap" -> {
                return new Subject(maps(Collections::unmodifiableMap), next);
            }
            case "java.util.Collections$SynchronizedMap" -> {
                return new Subject(maps(Collections::synchronizedMap), next);
            }
            case "java.util.ArrayList$Itr" -> {
                return iterators(ArrayList::new);
            }
            case "java.util.Vector$Itr" -> {
                return iterators(Vector::new);
            }
            case "java.util.concurrent.atomic.AtomicBoolean" -> {
                return new Subject(List.of(() -> new AtomicBoolean(), () -> new AtomicBoolean(true)), next);
            }
            case "java.math.BigInteger" -> {
                List<Supplier<Object>> numbers = new ArrayList<>();
                for (int bits = 0; bits < 160; bits += 31) {
                    BigInteger power = BigInteger.ONE.shiftLeft(bits);
                    numbers.addAll(List.of(() -> BigInteger.ZERO, () -> power, power::negate));
                }
                return new Subject(numbers, next);
            }
            case "java.time.LocalTime" -> {
                return values(v -> LocalTime.of(v[0], v[1], v[2], v[3]), 4);
            }
            case "java.time.LocalDate" -> {
                return values(v -> LocalDate.of(v[0], v[1], v[2]), 3);
            }
            case "java.time.Year" -> {
                return values(v -> Year.of(v[0]), 1);
            }
            case "java.time.YearMonth" -> {
                return values(v -> YearMonth.of(v[0], v[1]), 2);
            }
            case "java.time.MonthDay" -> {
                return values(v -> MonthDay.of(v[0], v[1]), 2);
            }
            case "java.time.Duration" -> {
                return values(v -> Duration.ofSeconds(v[0], v[1]), 2);
            }
            case "java.time.Instant" -> {
                return values(v -> Instant.ofEpochSecond(v[0], v[1]), 2);
            }
            default -> throw new IllegalArgumentException(name);
        }
    }

    /** What a factory makes of two numbers that are shown: of two objects, and of one object twice if that is permitted. */
    static Subject pairs(BinaryOperator<Object> make, boolean same) {
        List<Supplier<Object>> all = new ArrayList<>();
        for (int i = least; i <= greatest; i++) {
            Integer a = box(i);
            for (int j = least; j <= greatest; j++) {
                Integer b = box(j);
                if (same || i != j) all.add(() -> make.apply(a, b));
            }
            if (same) all.add(() -> make.apply(a, a));
        }
        return new Subject(all, List.of());
    }

    /** An object that nobody else has. */
    @SuppressWarnings({ "removal", "deprecation" })
    static Integer box(int i) {
        return new Integer(i);
    }

    /** Collections of every small capacity that hold a few numbers, or held them once, wrapped. */
    static <C extends Collection<Integer>> Subject wrapped(Function<C, Object> wrap, IntFunction<C> make) {
        List<Supplier<Object>> all = new ArrayList<>();
        for (int capacity = 0; capacity < 5; capacity++) {
            for (int size = 0; size < 4; size++) {
                for (boolean empty : new boolean[] { false, true }) {
                    int room = capacity, count = size;
                    all.add(() -> {
                        C collection = make.apply(room);
                        for (int i = 0; i < count; i++) collection.add(i);
                        if (empty) collection.clear();
                        return wrap.apply(collection);
                    });
                }
            }
        }
        return new Subject(all, List.of());
    }

    /** Maps of every small capacity that a few calls have filled, and perhaps emptied again, wrapped. */
    static List<Supplier<Object>> maps(UnaryOperator<Map<Integer, Integer>> wrap) {
        List<Supplier<Object>> all = new ArrayList<>();
        List<BiConsumer<Map<Integer, Integer>, Integer>> fills =
            List.of((m, i) -> m.put(i, i), (m, i) -> m.computeIfAbsent(i, k -> k), (m, i) -> m.computeIfAbsent(i, k -> null));
        for (int capacity = 0; capacity < 5; capacity++) {
            for (int size = 0; size < 4; size++) {
                for (var fill : fills) {
                    for (boolean empty : new boolean[] { false, true }) {
                        int room = capacity, count = size;
                        all.add(() -> {
                            Map<Integer, Integer> map = room == 0 ? new HashMap<>() : new HashMap<>(room - 1);
                            for (int i = 0; i < count; i++) fill.accept(map, i);
                            if (empty) map.clear();
                            return wrap.apply(map);
                        });
                    }
                }
            }
        }
        return all;
    }

    /** Iterators of lists of every small capacity and size, and what can be done with them. */
    static Subject iterators(IntFunction<List<Integer>> make) {
        List<Supplier<Object>> all = new ArrayList<>();
        for (int capacity = 0; capacity < 5; capacity++) {
            for (int size = 0; size <= capacity; size++) {
                int room = capacity, count = size;
                Supplier<List<Integer>> filled = () -> {
                    List<Integer> list = make.apply(room);
                    for (int i = 0; i < count; i++) list.add(i);
                    return list;
                };
                all.add(() -> filled.get().iterator());
            }
        }
        return new Subject(all, List.of(o -> ((Iterator<?>) o).next(), o -> ((Iterator<?>) o).remove()));
    }

    /** All that a factory makes of so many numbers that are shown; those that it refuses are none. */
    static Subject values(Function<int[], Object> make, int count) {
        List<Supplier<Object>> all = new ArrayList<>();
        int[] numbers = new int[count];
        Arrays.fill(numbers, least);
        while (true) {
            try {
                Object made = make.apply(numbers.clone());
                all.add(() -> made);
            } catch (DateTimeException refused) {
                // No such state.
            }
            int at = 0;
            while (at < count && ++numbers[at] > greatest) numbers[at++] = least;
            if (at == count) return new Subject(all, List.of());
        }
    }
}
