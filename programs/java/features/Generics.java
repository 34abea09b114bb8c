package features;

/** Type variables are erased: bridges, casts where they are used, bounds. */
public final class Generics {
    private Generics() {
    }

    static class Box<T> {
        private T value;

        Box(T value) {
            this.value = value;
        }

        T get() {
            return value;
        }

        void set(T value) {
            this.value = value;
        }

        <R> Box<R> map(java.util.function.Function<? super T, ? extends R> f) {
            return new Box<>(f.apply(value));
        }
    }

    /** The override has another erasure: a bridge casts the argument. */
    static final class TextBox extends Box<String> {
        private int changes;

        TextBox(String value) {
            super(value);
        }

        @Override
        void set(String value) {
            changes++;
            super.set(value + changes);
        }
    }

    static final class Pair<A, B> {
        final A first;
        final B second;

        Pair(A first, B second) {
            this.first = first;
            this.second = second;
        }

        Pair<B, A> swapped() {
            return new Pair<>(second, first);
        }
    }

    static final class Stack<E> {
        private Object[] elements = new Object[2];
        private int size;

        void push(E element) {
            if (size == elements.length) {
                Object[] larger = new Object[2 * size];
                System.arraycopy(elements, 0, larger, 0, size);
                elements = larger;
            }
            elements[size++] = element;
        }

        @SuppressWarnings("unchecked")
        E pop() {
            if (size == 0) {
                throw new IllegalStateException("empty");
            }
            E element = (E) elements[--size];
            elements[size] = null;
            return element;
        }
    }

    private static <T extends Comparable<? super T>> T largest(T a, T b, T c) {
        T ab = a.compareTo(b) >= 0 ? a : b;
        return ab.compareTo(c) >= 0 ? ab : c;
    }

    private static <T> int count(Iterable<? extends T> all, T wanted) {
        int n = 0;
        for (T element : all) {
            if (wanted == null ? element == null : wanted.equals(element)) {
                n++;
            }
        }
        return n;
    }

    public static int boxed(int a) {
        Box<Integer> box = new Box<>(a);
        box.set(box.get() + 1);
        return box.get();
    }

    public static String mapped(int a) {
        return new Box<>(a).map(x -> "<" + x + ">").map(s -> s + s.length()).get();
    }

    public static String bridged(String a, String b) {
        Box<String> box = new TextBox(a);
        box.set(b);
        box.set(b);
        return box.get();
    }

    /** The bridge's cast fails. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static String pollutedBridge(int a) {
        Box box = new TextBox("x");
        box.set(a);
        return (String) box.get();
    }

    /** The wrong value gets in, and fails where it is used. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static String pollutedBox(int a) {
        Box<String> box = new Box<>("x");
        ((Box) box).set(a);
        Object fine = ((Box<?>) box).get();
        try {
            String s = box.get();
            return s;
        } catch (ClassCastException e) {
            return "cast " + fine;
        }
    }

    public static int largestInt(int a, int b, int c) {
        return largest(a, b, c);
    }

    public static String largestString(String a, String b, String c) {
        return largest(a, b, c);
    }

    public static String pairs(int a, String b) {
        Pair<String, Integer> pair = new Pair<>(a, b).swapped();
        return pair.first + pair.second;
    }

    public static int stack(int a, int b, int n) {
        Stack<Integer> stack = new Stack<>();
        stack.push(a);
        stack.push(b);
        stack.push(a ^ b);
        int sum = 0;
        for (int i = 0; i < (n & 3); i++) {
            sum = sum * 31 + stack.pop();
        }
        return sum;
    }

    public static int stackUnderflow(int a, int n) {
        Stack<Integer> stack = new Stack<>();
        stack.push(a);
        int last = 0;
        for (int i = 0; i < (n & 3); i++) {
            last = stack.pop();
        }
        return last;
    }

    public static int counted(int a, int b) {
        return count(java.util.Arrays.asList(a, b, 5, null), 5) + 10 * count(java.util.Arrays.asList(a, null), null);
    }
}
