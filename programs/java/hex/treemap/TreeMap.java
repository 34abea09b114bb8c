package hex.treemap;

import java.util.NoSuchElementException;

import lazuli.Lazuli;

class Entry {
    int key;
    int value;
    boolean black;
    Entry left;
    Entry right;
    Entry parent;
}

/**
 * A map from integers to integers as a red-black tree with parent pointers and a size:
 * {@code programs/hex/subjects/TreeMap.pose} in Java, method by method. {@code TreeMap.hex} beside that file is its invariant.
 */
public class TreeMap {
    private int size;
    private Entry root;

    // ---- the invariant ----

    public boolean repOk() {
        if (root == null) {
            return size == 0;
        }
        if (root.parent != null || !root.black) {
            return false;
        }
        int blacks = blacksToTheLeft(root, root.left);
        return blacks >= 0 && subtreeOk(root, null, null, blacks) && size == number(root);
    }

    /** The black entries on the leftmost way down; -1 if the keys on it are not in order. Every other way must have as many. */
    private static int blacksToTheLeft(Entry e, Entry left) {
        int own = e.black ? 1 : 0;
        if (left == null) {
            return own;
        }
        if (e.key <= left.key) {
            return -1;
        }
        int below = blacksToTheLeft(left, left.left);
        return below < 0 ? -1 : below + own;
    }

    /**
     * Below an entry all keys are in order, red entries have black children, children know their parents, and there are so many
     * black entries on every way down, the entry included.
     */
    private static boolean subtreeOk(Entry e, Entry low, Entry high, int blacks) {
        if (e == null) {
            return blacks == 0;
        }
        Entry left = e.left;
        if (!childOk(left, e, low, e)) {
            return false;
        }
        Entry right = e.right;
        if (!childOk(right, e, e, high)) {
            return false;
        }
        int below = e.black ? blacks - 1 : blacks;
        return below >= 0 && subtreeOk(left, low, e, below) && subtreeOk(right, e, high, below);
    }

    private static boolean outside(Entry e, Entry low, Entry high) {
        return low != null && e.key <= low.key || high != null && high.key <= e.key;
    }

    private static boolean childOk(Entry child, Entry e, Entry low, Entry high) {
        return child == null || child.parent == e && !outside(child, low, high) && (e.black || child.black);
    }

    private static int number(Entry e) {
        return e == null ? 0 : number(e.left) + number(e.right) + 1;
    }

    public boolean repOkConservative() {
        if (!Lazuli.isResolved(this, "root")) {
            return true;
        }
        if (root == null) {
            return size == 0;
        }
        if (badParent(root, null) || !root.black || partialHeight(root, null, null) == -1) {
            return false;
        }
        return isComplete(root) ? size == number(root) : numberMet(root) <= size;
    }

    private static boolean badParent(Entry e, Entry parent) {
        return Lazuli.isResolved(e, "parent") && e.parent != parent;
    }

    /** The black height, -1 if there is none, and -2 where the partial tree does not say. */
    private static int partialHeight(Entry e, Entry low, Entry high) {
        if (e == null) {
            return 0;
        }
        if (outside(e, low, high)) {
            return -1;
        }
        int left = -2;
        if (Lazuli.isResolved(e, "left")) {
            left = partialChildOk(e.left, e) ? partialHeight(e.left, low, e) : -1;
        }
        if (left == -1) {
            return -1;
        }
        int right = -2;
        if (Lazuli.isResolved(e, "right")) {
            right = partialChildOk(e.right, e) ? partialHeight(e.right, e, high) : -1;
        }
        if (right == -1) {
            return -1;
        }
        if (left == -2 || right == -2) {
            return -2;
        }
        if (left != right) {
            return -1;
        }
        return e.black ? left + 1 : left;
    }

    private static boolean partialChildOk(Entry child, Entry e) {
        return child == null || !badParent(child, e) && (e.black || child.black);
    }

    private static boolean isComplete(Entry e) {
        return e == null
                || Lazuli.isResolved(e, "left") && Lazuli.isResolved(e, "right") && isComplete(e.left) && isComplete(e.right);
    }

    private static int numberMet(Entry e) {
        if (e == null) {
            return 0;
        }
        int left = Lazuli.isResolved(e, "left") ? numberMet(e.left) : 0;
        int right = Lazuli.isResolved(e, "right") ? numberMet(e.right) : 0;
        return left + right + 1;
    }

    // ---- queries ----

    public int length() {
        return size;
    }

    public boolean containsKey(int key) {
        return entry(key) != null;
    }

    public int get(int key) {
        Entry e = entry(key);
        return e == null ? 0 : e.value;
    }

    public boolean containsValue(int value) {
        return valueBelow(root, value);
    }

    private static boolean valueBelow(Entry e, int value) {
        if (e == null) {
            return false;
        }
        return e.value == value || valueBelow(e.left, value) || valueBelow(e.right, value);
    }

    public int firstKey() {
        Entry e = leftmost(root);
        if (e == null) {
            throw new NoSuchElementException();
        }
        return e.key;
    }

    public int lastKey() {
        Entry e = rightmost(root);
        if (e == null) {
            throw new NoSuchElementException();
        }
        return e.key;
    }

    private Entry entry(int key) {
        Entry e = root;
        while (e != null) {
            if (key < e.key) {
                e = e.left;
            } else if (e.key < key) {
                e = e.right;
            } else {
                return e;
            }
        }
        return null;
    }

    private static Entry leftmost(Entry e) {
        if (e != null) {
            for (Entry left = e.left; left != null; left = e.left) {
                e = left;
            }
        }
        return e;
    }

    private static Entry rightmost(Entry e) {
        if (e != null) {
            for (Entry right = e.right; right != null; right = e.right) {
                e = right;
            }
        }
        return e;
    }

    // ---- changes ----

    public void clear() {
        size = 0;
        root = null;
    }

    public int put(int key, int value) {
        Entry e = root;
        if (e == null) {
            root = created(key, value, null);
            root.black = true;
            size = 1;
            return 0;
        }
        while (true) {
            if (key < e.key) {
                Entry left = e.left;
                if (left == null) {
                    e.left = created(key, value, e);
                    return inserted(e.left);
                }
                e = left;
            } else if (e.key < key) {
                Entry right = e.right;
                if (right == null) {
                    e.right = created(key, value, e);
                    return inserted(e.right);
                }
                e = right;
            } else {
                int old = e.value;
                e.value = value;
                return old;
            }
        }
    }

    private static Entry created(int key, int value, Entry parent) {
        Entry e = new Entry();
        e.key = key;
        e.value = value;
        e.parent = parent;
        return e;
    }

    private int inserted(Entry e) {
        size = size + 1;
        fixAfterInsertion(e);
        root.black = true;
        return 0;
    }

    private void fixAfterInsertion(Entry e) {
        if (e == null || e == root || e.parent.black) {
            return;
        }
        if (e.parent == leftOf(grandparentOf(e))) {
            fixInsertionLeft(e);
        } else {
            fixInsertionRight(e);
        }
    }

    private void fixInsertionLeft(Entry e) {
        Entry uncle = rightOf(grandparentOf(e));
        if (!isBlack(uncle)) {
            recolour(e, uncle);
            return;
        }
        Entry x = e;
        if (e == rightOf(e.parent)) {
            x = e.parent;
            rotateLeft(x);
        }
        setBlack(parentOf(x), true);
        setBlack(grandparentOf(x), false);
        rotateRight(grandparentOf(x));
        fixAfterInsertion(x);
    }

    private void fixInsertionRight(Entry e) {
        Entry uncle = leftOf(grandparentOf(e));
        if (!isBlack(uncle)) {
            recolour(e, uncle);
            return;
        }
        Entry x = e;
        if (e == leftOf(e.parent)) {
            x = e.parent;
            rotateRight(x);
        }
        setBlack(parentOf(x), true);
        setBlack(grandparentOf(x), false);
        rotateLeft(grandparentOf(x));
        fixAfterInsertion(x);
    }

    private void recolour(Entry e, Entry uncle) {
        setBlack(parentOf(e), true);
        setBlack(uncle, true);
        setBlack(grandparentOf(e), false);
        fixAfterInsertion(grandparentOf(e));
    }

    public boolean remove(int key) {
        Entry e = entry(key);
        if (e == null) {
            return false;
        }
        deleteEntry(e);
        return true;
    }

    private void deleteEntry(Entry e) {
        size = size - 1;
        Entry right = e.right;
        if (e.left == null) {
            unlink(e);
        } else if (right == null) {
            unlink(e);
        } else {
            Entry next = leftmost(right);
            e.key = next.key;
            e.value = next.value;
            unlink(next);
        }
    }

    /** Takes out an entry that has at most one child. */
    private void unlink(Entry e) {
        Entry left = e.left;
        Entry child = left == null ? e.right : left;
        if (child != null) {
            child.parent = e.parent;
            replace(e, child);
            if (e.black) {
                fixAfterDeletion(child);
            }
        } else if (e.parent == null) {
            root = null;
        } else {
            if (e.black) {
                fixAfterDeletion(e);
            }
            if (e.parent != null) {
                replace(e, null);
            }
        }
    }

    /** Puts a child into the place of an entry. */
    private void replace(Entry e, Entry child) {
        Entry parent = e.parent;
        if (parent == null) {
            root = child;
        } else if (e == parent.left) {
            parent.left = child;
        } else {
            parent.right = child;
        }
    }

    private void fixAfterDeletion(Entry e) {
        if (e == root || !isBlack(e)) {
            setBlack(e, true);
        } else if (e == leftOf(parentOf(e))) {
            fixDeletionLeft(e);
        } else {
            fixDeletionRight(e);
        }
    }

    private void fixDeletionLeft(Entry e) {
        if (!isBlack(rightOf(parentOf(e)))) {
            setBlack(rightOf(parentOf(e)), true);
            setBlack(parentOf(e), false);
            rotateLeft(parentOf(e));
        }
        Entry sibling = rightOf(parentOf(e));
        if (hasBlackChildren(sibling)) {
            setBlack(sibling, false);
            fixAfterDeletion(parentOf(e));
            return;
        }
        if (isBlack(rightOf(sibling))) {
            setBlack(leftOf(sibling), true);
            setBlack(sibling, false);
            rotateRight(sibling);
        }
        Entry lifted = rightOf(parentOf(e));
        setBlack(lifted, isBlack(parentOf(e)));
        setBlack(parentOf(e), true);
        setBlack(rightOf(lifted), true);
        rotateLeft(parentOf(e));
        setBlack(root, true);
    }

    private void fixDeletionRight(Entry e) {
        if (!isBlack(leftOf(parentOf(e)))) {
            setBlack(leftOf(parentOf(e)), true);
            setBlack(parentOf(e), false);
            rotateRight(parentOf(e));
        }
        Entry sibling = leftOf(parentOf(e));
        if (hasBlackChildren(sibling)) {
            setBlack(sibling, false);
            fixAfterDeletion(parentOf(e));
            return;
        }
        if (isBlack(leftOf(sibling))) {
            setBlack(rightOf(sibling), true);
            setBlack(sibling, false);
            rotateLeft(sibling);
        }
        Entry lifted = leftOf(parentOf(e));
        setBlack(lifted, isBlack(parentOf(e)));
        setBlack(parentOf(e), true);
        setBlack(leftOf(lifted), true);
        rotateRight(parentOf(e));
        setBlack(root, true);
    }

    private static boolean hasBlackChildren(Entry e) {
        return isBlack(leftOf(e)) && isBlack(rightOf(e));
    }

    // ---- balancing ----

    private static boolean isBlack(Entry e) {
        return e == null || e.black;
    }

    private static void setBlack(Entry e, boolean black) {
        if (e != null) {
            e.black = black;
        }
    }

    private static Entry parentOf(Entry e) {
        return e == null ? null : e.parent;
    }

    private static Entry grandparentOf(Entry e) {
        return parentOf(parentOf(e));
    }

    private static Entry leftOf(Entry e) {
        return e == null ? null : e.left;
    }

    private static Entry rightOf(Entry e) {
        return e == null ? null : e.right;
    }

    private void rotateLeft(Entry e) {
        if (e == null) {
            return;
        }
        Entry lifted = e.right;
        e.right = lifted.left;
        if (lifted.left != null) {
            lifted.left.parent = e;
        }
        lifted.parent = e.parent;
        replace(e, lifted);
        lifted.left = e;
        e.parent = lifted;
    }

    private void rotateRight(Entry e) {
        if (e == null) {
            return;
        }
        Entry lifted = e.left;
        e.left = lifted.right;
        if (lifted.right != null) {
            lifted.right.parent = e;
        }
        lifted.parent = e.parent;
        replace(e, lifted);
        lifted.right = e;
        e.parent = lifted;
    }
}
