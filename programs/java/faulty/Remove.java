package faulty;

/** Removing from a list looks one node too far: the value may be in none of them. */
public class Remove {
    public static class Node {
        public int value;
        public Node next;
    }

    public static Node remove(Node list, int value) {
        if (list == null) {
            return null;
        }
        if (list.value == value) {
            return list.next;
        }
        Node before = list;
        while (before.next.value != value) { // fails
            before = before.next;
        }
        before.next = before.next.next;
        return list;
    }
}
