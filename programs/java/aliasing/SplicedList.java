package aliasing;

/**
 * A linked list that may be given to itself, and lists that may share their nodes. An assert of a method {@code …Fails} is violated
 * for some inputs, that of a method {@code …Holds} for none.
 */
public final class SplicedList {
    static final class Node {
        int value;
        Node next;
    }

    Node head;
    int size;

    /** The last node of a chain of three at most; of none, null. */
    private static Node last(Node head) {
        Node n = head;
        for (int i = 0; i < 3; i++) {
            if (n == null || n.next == null) {
                return n;
            }
            n = n.next;
        }
        throw new IllegalStateException("too long");
    }

    /** Moves the other list's nodes to the end of this one. With itself, the list becomes a ring. */
    void append(SplicedList other) {
        Node last = last(head);
        if (last == null) {
            head = other.head;
        } else {
            last.next = other.head;
        }
        size += other.size;
        other.head = null;
        other.size = 0;
    }

    void appendFails(SplicedList other) {
        if (head != null && other.head != null) {
            append(other);
            assert head != null;
        }
    }

    void appendSizeFails(SplicedList other) {
        if (size > 0 && size < 100 && other.size > 0 && other.size < 100) {
            int expected = size + other.size;
            append(other);
            assert size == expected;
        }
    }

    void appendOtherHolds(SplicedList other) {
        if (other != this && head != null) {
            append(other);
            assert head != null;
            assert other.head == null;
        }
    }

    /** Other lists' nodes may be this one's. */
    void appendMakesRingFails(SplicedList other) {
        if (other != this && head != null && head.next == null && other.head != null) {
            append(other);
            assert head.next != head;
        }
    }

    void pushHolds(int value) {
        Node old = head;
        Node n = new Node();
        n.value = value;
        n.next = head;
        head = n;
        size++;
        assert head.next == old;
        assert head != old;
        assert old == null || old.next != n;
    }

    void popFails() {
        if (head != null) {
            Node first = head;
            head = first.next;
            first.next = null;
            assert head != first;
        }
    }

    void reverseHolds() {
        if (head != null && head.next != null && head.next.next == null) {
            Node first = head;
            Node second = head.next;
            Node reversed = null;
            while (head != null) {
                Node next = head.next;
                head.next = reversed;
                reversed = head;
                head = next;
            }
            head = reversed;
            assert head == second && second.next == first && first.next == null;
        }
    }

    void removeFirstFails(SplicedList other) {
        if (head != null && head == other.head) {
            head = head.next;
            assert other.head != head;
        }
    }

    static void sharedTailFails(SplicedList a, SplicedList b) {
        if (a.head != null && b.head != null && a.head != b.head) {
            b.head.value = 5;
            if (a.head.next != null) {
                a.head.next.value = 6;
                assert b.head.value == 5;
            }
        }
    }

    void insertAfter(Node place, Node added) {
        added.next = place.next;
        place.next = added;
    }

    void insertAfterFails(Node place, Node added) {
        insertAfter(place, added);
        assert place.next != place;
    }

    void insertAfterHolds(Node place, Node added) {
        Node old = place.next;
        insertAfter(place, added);
        assert place.next == added;
        assert place == added || added.next == old;
    }
}
