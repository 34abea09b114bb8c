package pose.lazy;

import java.util.NoSuchElementException;

/**
 * A circular doubly linked list with a header entry, after class DoubleLinkedList of the SIR repository (Do et al. 2005).
 *
 * <p>The variant of Table 1's lazy columns, which were measured with JBSE on Java bytecode. It differs from
 * ../DoubleLinkedList.java in this: wrong indices and an empty list throw, a missing entry is a NullPointerException, and
 * {@code indexOf} ends at the header and after five entries.
 */
public class DoubleLinkedList {
    static class Entry {
        Object element;
        Entry next;
        Entry previous;
    }

    Entry header;
    int size;

    // ---- entries with the index that Table 1 used: rows "dll_add", "dll_get", "dll_remove" ----

    void add4(Object o) {
        add(4, o);
    }

    Object get4() {
        return get(4);
    }

    Object remove4() {
        return remove(4);
    }

    // ---- access ----

    Object get(int index) {
        return entry(index).element;
    }

    Object getFirst() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        return header.next.element;
    }

    Object getLast() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        return header.previous.element;
    }

    /** The object is looked at before the list. */
    int indexOf(Object o) {
        int i = 0;
        if (o == null) {
            for (Entry e = header.next; e != header && i <= 4; e = e.next) {
                if (e.element == null) {
                    return i;
                }
                i++;
            }
        } else {
            for (Entry e = header.next; e != header && i <= 4; e = e.next) {
                if (o == e.element) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    private Entry entry(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException();
        }
        Entry e = header;
        for (int i = 0; i <= index; i++) {
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

    private void removeEntry(Entry e) {
        if (e == header) {
            throw new NoSuchElementException();
        }
        e.previous.next = e.next;
        e.next.previous = e.previous;
        size = size - 1;
    }
}
