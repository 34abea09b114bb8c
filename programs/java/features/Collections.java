package features;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The JDK's collections, used from outside with the values that are given. */
public final class Collections {
    private Collections() {
    }

    public static String arrayList(int a, int b, int c) {
        List<Integer> list = new ArrayList<>();
        list.add(a);
        list.add(b);
        list.add(0, c);
        list.remove(Integer.valueOf(a));
        list.set(0, 7);
        return list + " " + list.size() + list.indexOf(b) + list.contains(c);
    }

    public static int arrayListIndex(int i) {
        return new ArrayList<>(List.of(10, 20, 30)).get(i);
    }

    public static int arrayListGrows(int n) {
        ArrayList<Integer> list = new ArrayList<>();
        for (int i = 0; i < (n & 31); i++) {
            list.add(i * i);
        }
        int sum = 0;
        for (int x : list) {
            sum += x;
        }
        return sum;
    }

    public static String removedWhileIterating(int a) {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3, 4, 5));
        for (Iterator<Integer> i = list.iterator(); i.hasNext(); ) {
            if (i.next() % 2 == (a & 1)) {
                i.remove();
            }
        }
        return list.toString();
    }

    public static boolean failsFast(int a) {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        try {
            for (int x : list) {
                if (x == a) {
                    list.add(x);
                }
            }
            return false;
        } catch (ConcurrentModificationException e) {
            return true;
        }
    }

    public static String linkedList(int a, int b) {
        LinkedList<Integer> list = new LinkedList<>();
        list.addFirst(a);
        list.addLast(b);
        list.add(1, 5);
        list.removeFirst();
        return list.toString() + list.getLast() + list.peekFirst();
    }

    public static int linkedListEmpty(boolean fill) {
        LinkedList<Integer> list = new LinkedList<>();
        if (fill) {
            list.push(3);
        }
        return list.removeLast();
    }

    public static int arrayDeque(int a, int n) {
        Deque<Integer> deque = new ArrayDeque<>(2);
        for (int i = 0; i < (n & 15); i++) {
            if (i % 2 == 0) {
                deque.addFirst(a + i);
            } else {
                deque.addLast(a - i);
            }
        }
        int sum = 0;
        while (!deque.isEmpty()) {
            sum = sum * 31 + deque.pollFirst();
        }
        return sum;
    }

    public static String hashMap(int a, int b, int c) {
        Map<Integer, String> map = new HashMap<>();
        map.put(a, "a");
        map.put(b, "b");
        String old = map.put(c, "c");
        map.remove(b);
        return map.size() + ":" + old + map.get(a) + map.get(b) + map.getOrDefault(c, "none") + map.containsKey(a);
    }

    public static int hashMapOfStrings(String a, String b) {
        Map<String, Integer> map = new HashMap<>();
        map.merge(a, 1, Integer::sum);
        map.merge(b, 1, Integer::sum);
        map.merge("a", 1, Integer::sum);
        int result = map.size() * 100;
        for (int count : map.values()) {
            result += count * count;
        }
        return result;
    }

    /** Keys that collide: they have the same hash code. */
    public static String collisions(String key) {
        Map<String, Integer> map = new HashMap<>();
        map.put("Aa", 1);
        map.put("BB", 2);
        map.put(key, 3);
        return map.get("Aa") + ":" + map.get("BB") + ":" + map.size();
    }

    public static int hashMapResizes(int n) {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < (n & 63); i++) {
            map.put(i * 7, i);
        }
        int sum = 0;
        for (Map.Entry<Integer, Integer> entry : map.entrySet()) {
            sum += entry.getKey() * entry.getValue();
        }
        return sum;
    }

    public static String linkedHashMap(int a, int b) {
        Map<Integer, Integer> map = new LinkedHashMap<>();
        map.put(a, 1);
        map.put(b, 2);
        map.put(a, 3);
        return map.toString();
    }

    public static String treeMap(int a, int b, int c) {
        TreeMap<Integer, String> map = new TreeMap<>();
        map.put(a, "a");
        map.put(b, "b");
        map.put(c, "c");
        return map + " " + map.firstKey() + map.lastEntry().getValue() + map.floorKey(0) + map.higherKey(5) + map.headMap(b);
    }

    public static int treeMapBalances(int n) {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        for (int i = 0; i < (n & 31); i++) {
            map.put(i * 17 % 31, i);
        }
        map.remove(5);
        int sum = 0;
        for (Map.Entry<Integer, Integer> entry : map.entrySet()) {
            sum = sum * 3 + entry.getKey() - entry.getValue();
        }
        return sum;
    }

    public static int treeMapOfNull(String key) {
        TreeMap<String, Integer> map = new TreeMap<>();
        map.put("m", 1);
        map.put(key, 2);
        return map.get("m");
    }

    public static String sets(int a, int b) {
        Set<Integer> hash = new HashSet<>(List.of(1, 2));
        Set<Integer> tree = new TreeSet<>(Comparator.reverseOrder());
        tree.add(a);
        tree.add(b);
        return hash.add(a) + ":" + hash.add(b) + ":" + hash.size() + tree;
    }

    public static String priorityQueue(int a, int b, int c) {
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        queue.add(a);
        queue.add(b);
        queue.add(c);
        queue.offer(0);
        String text = "";
        while (!queue.isEmpty()) {
            text += queue.poll() + " ";
        }
        return text;
    }

    public static String sorted(int a, int b, int c) {
        List<Integer> list = Arrays.asList(a, b, c);
        list.sort(Comparator.comparing((Integer x) -> x & 1).thenComparing(Comparator.naturalOrder()));
        return list.toString();
    }

    public static String arrays(int[] cells) {
        int[] copy = Arrays.copyOf(cells, 4);
        Arrays.sort(copy);
        return Arrays.toString(copy) + Arrays.binarySearch(copy, 0) + Arrays.equals(copy, cells) + Arrays.hashCode(cells);
    }

    public static int optional(String s) {
        return Optional.ofNullable(s).filter(x -> !x.isEmpty()).map(String::length).orElse(-1);
    }

    public static String optionalEmpty(boolean present) {
        Optional<String> optional = present ? Optional.of("x") : Optional.empty();
        try {
            return optional.get();
        } catch (NoSuchElementException e) {
            return e.getMessage();
        }
    }

    public static int stream(int n) {
        return IntStream.rangeClosed(1, n & 15).filter(x -> x % 3 != 0).map(x -> x * x).sum();
    }

    public static String immutable(int a) {
        List<Integer> list = List.of(1, 2, 3);
        try {
            list.set(0, a);
            return "changed";
        } catch (UnsupportedOperationException e) {
            return "immutable";
        }
    }

    public static int subList(int from, int to) {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3, 4));
        list.subList(from, to).clear();
        return list.size();
    }

    public static boolean equality(int a, int b) {
        return List.of(a, b).equals(new LinkedList<>(Arrays.asList(b, a))) == Set.of(1).equals(new TreeSet<>(List.of(a)));
    }
}
