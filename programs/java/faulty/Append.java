package faulty;

/** Aliasing: a list that is appended to itself, or to its own end, becomes a circle. */
public class Append {
    public static class Node {
        public int value;
        public Node next;
    }

    public static void append(Node list, Node other) {
        Node last = list;
        while (last.next != null) {
            last = last.next;
        }
        last.next = other;
        assert last.next != last; // fails
    }
}
