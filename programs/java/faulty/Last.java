package faulty;

/** The end of a list is looked for in a list that may be a ring. */
public class Last {
    public static class Node {
        public int value;
        public Node next;
    }

    public static int last(Node list) {
        if (list == null) {
            return 0;
        }
        while (list.next != null) { // fails
            list = list.next;
        }
        return list.value;
    }
}
