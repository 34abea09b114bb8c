package hex.linkedlist;

import java.util.NoSuchElementException;

import lazuli.Lazuli;

/** What the list holds; compared by identity. */
class Element {
}

class Entry {
    Element element;
    Entry next;
    Entry previous;
}

/**
 * A circular doubly linked list with a header entry and a size: {@code programs/hex/subjects/LinkedList.pose} in Java, method by
 * method. {@code LinkedList.hex} beside that file is its invariant.
 */
public class LinkedList {
    private int size;
    private Entry header;

    // ---- the invariant ----

    public boolean repOk() {
        if (header == null || header.element != null) {
            return false;
        }
        // Each entry knows its predecessor, so none is met twice.
        Entry before = header;
        int met = 0;
        for (Entry e = header.next; ; e = e.next) {
            if (e == null || e.previous != before) {
                return false;
            }
            if (e == header) {
                return size == met;
            }
            before = e;
            met++;
        }
    }

    /** The same on a partial heap. It follows {@code next} only, so it says nothing of entries that were reached by {@code previous}. */
    public boolean repOkConservative() {
        if (!Lazuli.isResolved(this, "header")) {
            return true;
        }
        if (header == null || Lazuli.isResolved(header, "element") && header.element != null) {
            return false;
        }
        Entry before = header;
        int met = 0;
        while (Lazuli.isResolved(before, "next")) {
            Entry e = before.next;
            if (e == null || Lazuli.isResolved(e, "previous") && e.previous != before) {
                return false;
            }
            if (e == header) {
                return size == met;
            }
            before = e;
            met++;
        }
        return true;
    }

    // ---- queries ----

    public int length() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public Element getFirst() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        return header.next.element;
    }

    public Element getLast() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        return header.previous.element;
    }

    public boolean contains(Element o) {
        return indexOf(o) != -1;
    }

    public int indexOf(Element o) {
        int index = 0;
        for (Entry e = header.next; e != header; e = e.next) {
            if (e.element == o) {
                return index;
            }
            index++;
        }
        return -1;
    }

    public int lastIndexOf(Element o) {
        int index = size - 1;
        for (Entry e = header.previous; e != header; e = e.previous) {
            if (e.element == o) {
                return index;
            }
            index--;
        }
        return -1;
    }

    public Element get(int index) {
        return entry(index).element;
    }

    /** The entry at an index; those near the end are reached from there. */
    private Entry entry(int index) {
        if (index < 0) {
            throw new IndexOutOfBoundsException();
        }
        if (size <= index) {
            throw new IndexOutOfBoundsException();
        }
        Entry e;
        if (index < size - 2) {
            e = header.next;
            for (int steps = index; steps != 0; steps--) {
                e = e.next;
            }
        } else {
            e = header;
            for (int steps = size - index; steps != 0; steps--) {
                e = e.previous;
            }
        }
        return e;
    }

    // ---- changes ----

    public boolean add(Element o) {
        addBefore(o, header);
        return true;
    }

    public void addFirst(Element o) {
        addBefore(o, header.next);
    }

    public void addLast(Element o) {
        addBefore(o, header);
    }

    public void addAt(int index, Element o) {
        addBefore(o, index == size ? header : entry(index));
    }

    public Element set(int index, Element o) {
        Entry e = entry(index);
        Element old = e.element;
        e.element = o;
        return old;
    }

    public Element removeFirst() {
        return removeEntry(header.next);
    }

    public Element removeLast() {
        return removeEntry(header.previous);
    }

    public Element removeAt(int index) {
        return removeEntry(entry(index));
    }

    public boolean remove(Element o) {
        for (Entry e = header.next; e != header; e = e.next) {
            if (e.element == o) {
                removeEntry(e);
                return true;
            }
        }
        return false;
    }

    public void clear() {
        header.next = header;
        header.previous = header;
        size = 0;
    }

    private Entry addBefore(Element o, Entry e) {
        Entry added = new Entry();
        added.element = o;
        added.next = e;
        added.previous = e.previous;
        added.previous.next = added;
        added.next.previous = added;
        size = size + 1;
        return added;
    }

    private Element removeEntry(Entry e) {
        if (e == header) {
            throw new NoSuchElementException();
        }
        e.previous.next = e.next;
        e.next.previous = e.previous;
        size = size - 1;
        return e.element;
    }
}
