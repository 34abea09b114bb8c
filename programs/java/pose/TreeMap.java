package pose;

/**
 * A red-black tree from integers to objects, after java.util.TreeMap.
 *
 * <p>Going down and repairing upwards are bounded by {@code depthBound}. The entries met on the way down are given the parents
 * that a tree has, so that only the links downwards are unknown. This is the variant of Table 1's POSE columns;
 * lazy/TreeMap.java is that of its lazy columns. The entry is {@code putWithin2}.
 */
public class TreeMap {
    private static final int RED = 0;
    private static final int BLACK = 1;

    static class Entry {
        int key;
        Object value;
        Entry left;
        Entry right;
        Entry parent;
        /** The integers that are neither RED nor BLACK give four traces more than a boolean. */
        int color;
    }

    Entry root;
    int size;
    int depthBound;

    Object putWithin2(int key) {
        depthBound = 2;
        return put(key, new Object());
    }

    /** The value that the key had before, or null. */
    Object put(int key, Object value) {
        Entry t = root;
        if (t == null) {
            root = added(key, value, null);
            return null;
        }
        t.parent = null;
        return putBelow(t, key, value, 1);
    }

    private Object putBelow(Entry t, int key, Object value, int depth) {
        if (depthBound < depth) {
            return null;
        } else if (key < t.key) {
            if (t.left == null) {
                t.left = added(key, value, t);
                fixAfterInsertion(t.left);
                return null;
            }
            t.left.parent = t;
            return putBelow(t.left, key, value, depth + 1);
        } else if (key == t.key) {
            Object old = t.value;
            t.value = value;
            return old;
        } else {
            if (t.right == null) {
                t.right = added(key, value, t);
                fixAfterInsertion(t.right);
                return null;
            }
            t.right.parent = t;
            return putBelow(t.right, key, value, depth + 1);
        }
    }

    private Entry added(int key, Object value, Entry parent) {
        Entry e = new Entry();
        size = size + 1;
        e.key = key;
        e.value = value;
        e.parent = parent;
        e.color = BLACK;
        return e;
    }

    // ---- balancing ----

    private void fixAfterInsertion(Entry x) {
        x.color = RED;
        fix(x, 1);
        root.color = BLACK;
    }

    /** {@code while (x != null && x != root && x.parent.color != BLACK)}. */
    private void fix(Entry x, int depth) {
        if (depthBound < depth) {
            return;
        } else if (x == null) {
            return;
        } else if (x == root) {
            return;
        } else if (x.parent.color == BLACK) {
            return;
        } else if (parentOf(x) == leftOf(grandparentOf(x))) {
            fixBelowLeft(x, depth);
        } else {
            fixBelowRight(x, depth);
        }
    }

    /** The parent is a left child. */
    private void fixBelowLeft(Entry x, int depth) {
        Entry uncle = rightOf(grandparentOf(x));
        if (colorOf(uncle) == RED) {
            recolor(x, uncle, depth);
            return;
        }
        Entry lower = x == rightOf(parentOf(x)) ? rotatedLeft(parentOf(x)) : x;
        setColor(parentOf(lower), BLACK);
        setColor(grandparentOf(lower), RED);
        if (grandparentOf(lower) != null) {
            rotateRight(grandparentOf(lower));
        }
        fix(lower, depth + 1);
    }

    /** The parent is a right child. */
    private void fixBelowRight(Entry x, int depth) {
        Entry uncle = leftOf(grandparentOf(x));
        if (colorOf(uncle) == RED) {
            recolor(x, uncle, depth);
            return;
        }
        Entry lower = x == leftOf(parentOf(x)) ? rotatedRight(parentOf(x)) : x;
        setColor(parentOf(lower), BLACK);
        setColor(grandparentOf(lower), RED);
        if (grandparentOf(lower) != null) {
            rotateLeft(grandparentOf(lower));
        }
        fix(lower, depth + 1);
    }

    /** A red uncle: the conflict moves two levels up. */
    private void recolor(Entry x, Entry uncle, int depth) {
        setColor(parentOf(x), BLACK);
        setColor(uncle, BLACK);
        setColor(grandparentOf(x), RED);
        fix(grandparentOf(x), depth + 1);
    }

    private Entry rotatedLeft(Entry p) {
        rotateLeft(p);
        return p;
    }

    private Entry rotatedRight(Entry p) {
        rotateRight(p);
        return p;
    }

    private void rotateLeft(Entry p) {
        Entry r = p.right;
        p.right = r.left;
        if (r.left != null) {
            r.left.parent = p;
        }
        replaceLeftFirst(p, r);
        r.left = p;
        p.parent = r;
    }

    private void rotateRight(Entry p) {
        Entry l = p.left;
        p.left = l.right;
        if (l.right != null) {
            l.right.parent = p;
        }
        replaceRightFirst(p, l);
        l.right = p;
        p.parent = l;
    }

    /** Hang an entry where another one was. Which link is looked at first matters where an entry is both children. */
    private void replaceLeftFirst(Entry p, Entry by) {
        by.parent = p.parent;
        if (p.parent == null) {
            root = by;
        } else if (p.parent.left == p) {
            p.parent.left = by;
        } else {
            p.parent.right = by;
        }
    }

    private void replaceRightFirst(Entry p, Entry by) {
        by.parent = p.parent;
        if (p.parent == null) {
            root = by;
        } else if (p.parent.right == p) {
            p.parent.right = by;
        } else {
            p.parent.left = by;
        }
    }

    // ---- links and colours, null where there is no entry ----

    private static Entry parentOf(Entry p) {
        return p == null ? null : p.parent;
    }

    private static Entry grandparentOf(Entry p) {
        return parentOf(parentOf(p));
    }

    private static Entry leftOf(Entry p) {
        return p == null ? null : p.left;
    }

    private static Entry rightOf(Entry p) {
        return p == null ? null : p.right;
    }

    private static int colorOf(Entry p) {
        return p == null ? BLACK : p.color;
    }

    private static void setColor(Entry p, int color) {
        if (p != null) {
            p.color = color;
        }
    }
}
