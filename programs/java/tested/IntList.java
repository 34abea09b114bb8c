package tested;

/** A linked list of numbers that hides its nodes. */
public class IntList {
    private static class Node {
        final int value;
        Node next;

        Node(int value) {
            this.value = value;
        }
    }

    private Node head;
    private int size;

    public int size() {
        return size;
    }

    public void addFirst(int value) {
        Node node = new Node(value);
        node.next = head;
        head = node;
        size++;
    }

    public boolean contains(int value) {
        for (Node node = head; node != null; node = node.next) {
            if (node.value == value) {
                return true;
            }
        }
        return false;
    }

    public int removeFirst() {
        if (head == null) {
            throw new IllegalStateException("empty");
        }
        int value = head.value;
        head = head.next;
        size--;
        return value;
    }
}
