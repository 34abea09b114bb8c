package pose;

/**
 * A circular doubly linked list with a header entry, after class DoubleLinkedList of the SIR repository (Do et al. 2005).
 *
 * <p>This is the variant of Table 1's POSE columns; lazy/DoubleLinkedList.java is that of its lazy columns.
 */
public class DoubleLinkedList {
    static class Entry {
        Object element;
        Entry next;
        Entry previous;
    }

    Entry header;
    int size;
    int depthBound;

    // ---- entries with the index and the bound that Table 1 used ----

    void add4(Object o) {
        add(4, o);
    }

    Object get4() {
        return get(4);
    }

    Object remove4() {
        return remove(4);
    }

    int indexOfWithin8(Object o) {
        depthBound = 8;
        return indexOf(o);
    }

    // ---- access ----

    Object get(int index) {
        return entry(index).element;
    }

    Object getFirst() {
        if (size == 0) {
            return null;
        } else {
            return header.next.element;
        }
    }

    Object getLast() {
        if (size == 0) {
            return null;
        } else {
            return header.previous.element;
        }
    }

    /** The place of the first entry that holds the object, or -1. The walk ends at a missing entry or at the bound. */
    int indexOf(Object o) {
        Entry first = header.next;
        if (o == null) {
            return indexOfNull(first, 0);
        } else {
            return indexOfObject(o, first, 0);
        }
    }

    private int indexOfNull(Entry e, int index) {
        if (e.element == null) {
            return index;
        } else if (e.next == null) {
            return -1;
        } else if (depthBound < index) {
            return -1;
        } else {
            return indexOfNull(e.next, index + 1);
        }
    }

    private int indexOfObject(Object o, Entry e, int index) {
        if (e.element == o) {
            return index;
        } else if (e.next == null) {
            return -1;
        } else if (depthBound < index) {
            return -1;
        } else {
            return indexOfObject(o, e.next, index + 1);
        }
    }

    /** The walk ends early at a missing entry. */
    private Entry entry(int index) {
        Entry e = header;
        for (int i = 0; i <= index; i++) {
            if (e == null) {
                return e;
            }
            e = e.next;
        }
        return e;
    }

    // ---- change ----

    void add(int index, Object o) {
        addBefore(o, index == size ? header : entry(index));
    }

    private Entry addBefore(Object o, Entry e) {
        Entry added = new Entry();
        added.element = o;
        added.next = e;
        added.previous = e.previous;
        added.previous.next = added;
        added.next.previous = added;
        size = size + 1;
        return added;
    }

    Object remove(int index) {
        Entry e = entry(index);
        removeEntry(e);
        return e.element;
    }

    Object removeFirst() {
        return removed(header.next);
    }

    Object removeLast() {
        return removed(header.previous);
    }

    private Object removed(Entry e) {
        Object element = e.element;
        removeEntry(e);
        return element;
    }

    /** The header is not removed. */
    private void removeEntry(Entry e) {
        if (header == e) {
            return;
        }
        e.previous.next = e.next;
        e.next.previous = e.previous;
        size = size - 1;
    }
}
