package pose.lazy;

/**
 * An AVL tree of integers, after the AvlTree that Galeotti et al. (ISSTA 2010) use.
 *
 * <p>The variant of Table 1's lazy columns, which were measured with JBSE on Java bytecode. It differs from ../AvlTree.java in
 * this: the bounds are literals, alternatives are tested one after the other as {@code ||} does, and a missing inner grandchild is
 * not tested for before its rotation. The entries are the methods that are not private; they have the names of the rows.
 *
 * <p>Heights are unbounded in the published counts. Java's wrap around, which adds paths to {@code insertElem} and to no other row:
 * 13,354 lazy traces instead of 7,033, and 731 instead of 546 in the variant of the POSE columns.
 */
public class AvlTree {
    static class AvlNode {
        int element;
        int height;
        AvlNode left;
        AvlNode right;
    }

    AvlNode root;

    // ---- insertion: row "avl_insertElem" ----

    void insertElem(int x) {
        root = insert(x, root, 1);
    }

    private AvlNode insert(int x, AvlNode t, int depth) {
        if (t == null) {
            return leaf(x);
        } else if (depth > 1) {
            return measured(t);
        } else if (x < t.element) {
            return measured(insertLeft(x, t, depth));
        } else if (x > t.element) {
            return measured(insertRight(x, t, depth));
        } else {
            return measured(t);
        }
    }

    private AvlNode leaf(int x) {
        AvlNode t = new AvlNode();
        t.element = x;
        return measured(t);
    }

    private AvlNode insertLeft(int x, AvlNode t, int depth) {
        t.left = insert(x, t.left, depth + 1);
        if (height(t.left) == height(t.right) + 2) {
            if (x < t.left.element) {
                return rotateWithLeftChild(t);
            } else {
                return doubleWithLeftChild(t);
            }
        }
        return t;
    }

    private AvlNode insertRight(int x, AvlNode t, int depth) {
        t.right = insert(x, t.right, depth + 1);
        if (height(t.right) == height(t.left) + 2) {
            if (x > t.right.element) {
                return rotateWithRightChild(t);
            } else {
                return doubleWithRightChild(t);
            }
        }
        return t;
    }

    private AvlNode rotateWithLeftChild(AvlNode k2) {
        AvlNode k1 = k2.left;
        k2.left = k1.right;
        k1.right = k2;
        k2.height = max(height(k2.left), height(k2.right)) + 1;
        k1.height = max(height(k1.left), k2.height) + 1;
        return k1;
    }

    private AvlNode rotateWithRightChild(AvlNode k1) {
        AvlNode k2 = k1.right;
        k1.right = k2.left;
        k2.left = k1;
        k1.height = max(height(k1.left), height(k1.right)) + 1;
        k2.height = max(height(k2.right), k1.height) + 1;
        return k2;
    }

    private AvlNode doubleWithLeftChild(AvlNode k3) {
        k3.left = rotateWithRightChild(k3.left);
        return rotateWithLeftChild(k3);
    }

    private AvlNode doubleWithRightChild(AvlNode k1) {
        k1.right = rotateWithLeftChild(k1.right);
        return rotateWithRightChild(k1);
    }

    private AvlNode measured(AvlNode t) {
        t.height = max(height(t.left), height(t.right)) + 1;
        return t;
    }

    private static int height(AvlNode t) {
        return t == null ? -1 : t.height;
    }

    private static int max(int lhs, int rhs) {
        return lhs > rhs ? lhs : rhs;
    }

    // ---- queries: rows "avl_find", "avl_findMax", "avl_findMin" ----

    int find(int x) {
        return elementAt(findNode(x, root, 0));
    }

    private AvlNode findNode(int x, AvlNode t, int depth) {
        if (depth > 5) {
            return null;
        } else if (t == null) {
            return null;
        } else if (x < t.element) {
            return findNode(x, t.left, depth + 1);
        } else if (x > t.element) {
            return findNode(x, t.right, depth + 1);
        } else {
            return t;
        }
    }

    /** The bound is tested after the child has been read. */
    int findMax() {
        return elementAt(findMaxNode(root, 0));
    }

    private AvlNode findMaxNode(AvlNode t, int depth) {
        if (t == null) {
            return null;
        } else if (t.right == null) {
            return t;
        } else if (depth > 10) {
            return null;
        } else {
            return findMaxNode(t.right, depth + 1);
        }
    }

    int findMin() {
        return elementAt(findMinNode(root, 0));
    }

    private AvlNode findMinNode(AvlNode t, int depth) {
        if (t == null) {
            return null;
        } else if (t.left == null) {
            return t;
        } else if (depth > 10) {
            return null;
        } else {
            return findMinNode(t.left, depth + 1);
        }
    }

    private static int elementAt(AvlNode t) {
        return t == null ? -1 : t.element;
    }

    // ---- invariants: rows "avl_balanced", "avl_maxElement", "avl_minElement" ----

    boolean balanced() {
        return balancedNode(root, 0);
    }

    private boolean balancedNode(AvlNode t, int depth) {
        if (depth > 1) {
            return true;
        } else if (t == null) {
            return true;
        }
        int lh = height(t.left);
        int rh = height(t.right);
        if (lh == rh || lh == rh + 1 || lh + 1 == rh) {
            if (balancedNode(t.left, depth + 1)) {
                return balancedNode(t.right, depth + 1);
            }
        }
        return false;
    }

    /** The right child is not read before the left subtree has been visited. */
    boolean maxElement(int max) {
        return maxElementBelow(max, root, 0);
    }

    private boolean maxElementBelow(int max, AvlNode t, int depth) {
        if (depth > 2) {
            return true;
        } else if (t == null) {
            return true;
        } else if (t.element > max) {
            return false;
        } else if (maxElementBelow(max, t.left, depth + 1)) {
            return maxElementBelow(max, t.right, depth + 1);
        } else {
            return false;
        }
    }

    boolean minElement(int min) {
        return minElementBelow(min, root, 0);
    }

    private boolean minElementBelow(int min, AvlNode t, int depth) {
        if (depth > 2) {
            return true;
        } else if (t == null) {
            return true;
        } else if (t.element < min) {
            return false;
        } else if (minElementBelow(min, t.left, depth + 1)) {
            return minElementBelow(min, t.right, depth + 1);
        } else {
            return false;
        }
    }
}
