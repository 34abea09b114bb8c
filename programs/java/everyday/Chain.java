package everyday;

/** A linked list: removing the first node with a value. */
public class Chain {
    static class Node {
        int value;
        Node next;
    }

    Node head;

    boolean remove(int value) {
        if (head == null) {
            return false;
        }
        if (head.value == value) {
            head = head.next;
            return true;
        }
        Node node = head;
        while (node.next.value != value) {
            node = node.next;
        }
        node.next = node.next.next;
        return true;
    }
}
