package pose.lazy;

/**
 * A red-black tree from integers to objects, after java.util.TreeMap.
 *
 * <p>The variant of Table 1's lazy columns, which were measured with JBSE on Java bytecode. It differs from ../TreeMap.java in
 * this: the bounds are literals, the value is an input that is not looked at before the place of the key has been found, and the
 * colour is a boolean as in java.util.TreeMap. The entry is {@code put}.
 */
public class TreeMap {
    private static final boolean RED = false;
    private static final boolean BLACK = true;

    static class Entry {
        int key;
        Object value;
        Entry left;
        Entry right;
        Entry parent;
        boolean color;

        Object setValue(Object value) {
            Object old = this.value;
            this.value = value;
            return old;
        }
    }

    Entry root;
    int size;

    /** The value that the key had before, or null. The search goes down two levels. */
    Object put(int key, Object value) {
        if (root == null) {
            root = added(key, value, null);
            return null;
        }
        root.parent = null;
        Entry t = root;
        Entry parent;
        int side;
        int depth = 1;
        do {
            if (depth > 2) {
                return null;
            }
            parent = t;
            side = compare(key, t.key);
            if (side == 0) {
                return t.setValue(value);
            } else if (side < 0) {
                t = t.left;
            } else {
                t = t.right;
            }
            if (t != null) {
                t.parent = parent;
            }
            depth++;
        } while (t != null);
        insert(parent, side, added(key, value, parent));
        return null;
    }

    private void insert(Entry t, int side, Entry e) {
        if (side < 0) {
            t.left = e;
            fixAfterInsertion(t.left);
        } else {
            t.right = e;
            fixAfterInsertion(t.right);
        }
    }

    private static int compare(int a, int b) {
        return a < b ? -1 : a == b ? 0 : 1;
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

    /** {@code while (x != null && x != root && x.parent.color == RED)}. */
    private void fix(Entry x, int depth) {
        if (depth > 2) {
            return;
        } else if (x == null) {
            return;
        } else if (x == root) {
            return;
        } else if (x.parent.color) {
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
        if (!colorOf(uncle)) {
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
        if (!colorOf(uncle)) {
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

    private static boolean colorOf(Entry p) {
        return p == null ? BLACK : p.color;
    }

    private static void setColor(Entry p, boolean color) {
        if (p != null) {
            p.color = color;
        }
    }
}
