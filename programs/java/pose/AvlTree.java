package pose;

/**
 * An AVL tree of integers, after the AvlTree that Galeotti et al. (ISSTA 2010) use.
 *
 * <p>A method that goes down the tree counts the levels and stops below {@code depthBound}, so that every path is finite. This
 * is the variant of Table 1's POSE columns; lazy/AvlTree.java is that of its lazy columns. The entries end in {@code WithinN}.
 */
public class AvlTree {
    static class AvlNode {
        int element;
        int height;
        AvlNode left;
        AvlNode right;
    }

    AvlNode root;
    int depthBound;

    // ---- entries with the bounds that Table 1 used ----

    boolean balancedWithin1() {
        depthBound = 1;
        return balanced();
    }

    int findWithin5(int x) {
        depthBound = 5;
        return find(x);
    }

    int findMaxWithin10() {
        depthBound = 10;
        return findMax();
    }

    int findMinWithin10() {
        depthBound = 10;
        return findMin();
    }

    void insertElemWithin1(int x) {
        depthBound = 1;
        insertElem(x);
    }

    boolean maxElementWithin2(int max) {
        depthBound = 2;
        return maxElement(max);
    }

    boolean minElementWithin2(int min) {
        depthBound = 2;
        return minElement(min);
    }

    // ---- insertion ----

    void insertElem(int x) {
        root = insert(x, root, 1);
    }

    private AvlNode insert(int x, AvlNode t, int depth) {
        if (t == null) {
            return leaf(x);
        } else if (depthBound < depth) {
            return measured(t);
        } else if (x < t.element) {
            return measured(insertLeft(x, t, depth));
        } else if (t.element < x) {
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

    /**
     * The root of the subtree after an insertion to the left. Where the left subtree is two levels higher, it is rotated,
     * unless the inner grandchild that a double rotation lifts is missing.
     */
    private AvlNode insertLeft(int x, AvlNode t, int depth) {
        t.left = insert(x, t.left, depth + 1);
        if (height(t.left) - height(t.right) == 2) {
            if (x < t.left.element) {
                return rotateWithLeftChild(t);
            } else if (t.left.right != null) {
                return doubleWithLeftChild(t);
            }
        }
        return t;
    }

    private AvlNode insertRight(int x, AvlNode t, int depth) {
        t.right = insert(x, t.right, depth + 1);
        if (height(t.right) - height(t.left) == 2) {
            if (t.right.element < x) {
                return rotateWithRightChild(t);
            } else if (t.right.left != null) {
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

    /** A node whose height is right again. */
    private AvlNode measured(AvlNode t) {
        t.height = max(height(t.left), height(t.right)) + 1;
        return t;
    }

    private static int height(AvlNode t) {
        return t == null ? -1 : t.height;
    }

    private static int max(int lhs, int rhs) {
        return lhs < rhs ? rhs : lhs;
    }

    // ---- queries ----

    int find(int x) {
        return elementAt(findNode(x, root, 0));
    }

    private AvlNode findNode(int x, AvlNode t, int depth) {
        if (depthBound < depth) {
            return null;
        } else if (t == null) {
            return null;
        } else if (t.element == x) {
            return t;
        } else if (x < t.element) {
            return findNode(x, t.left, depth + 1);
        } else {
            return findNode(x, t.right, depth + 1);
        }
    }

    int findMax() {
        return elementAt(findMaxNode(root, 0));
    }

    private AvlNode findMaxNode(AvlNode t, int depth) {
        if (depthBound < depth) {
            return null;
        } else if (t == null) {
            return null;
        } else if (t.right == null) {
            return t;
        } else {
            return findMaxNode(t.right, depth + 1);
        }
    }

    int findMin() {
        return elementAt(findMinNode(root, 0));
    }

    private AvlNode findMinNode(AvlNode t, int depth) {
        if (depthBound < depth) {
            return null;
        } else if (t == null) {
            return null;
        } else if (t.left == null) {
            return t;
        } else {
            return findMinNode(t.left, depth + 1);
        }
    }

    private static int elementAt(AvlNode t) {
        return t == null ? -1 : t.element;
    }

    // ---- invariants ----

    /** Whether the heights of siblings differ by one at most. Both subtrees are looked at in any case. */
    boolean balanced() {
        return balancedNode(root, 0);
    }

    private boolean balancedNode(AvlNode t, int depth) {
        if (depthBound < depth) {
            return true;
        } else if (t == null) {
            return true;
        }
        int lh = height(t.left);
        int rh = height(t.right);
        boolean left = balancedNode(t.left, depth + 1);
        boolean right = balancedNode(t.right, depth + 1);
        // One jump for all of `lh == rh || lh == rh + 1 || lh + 1 == rh`: an unsigned comparison of the difference.
        if (left && right && lh - rh + 1 + Integer.MIN_VALUE <= 2 + Integer.MIN_VALUE) {
            return true;
        } else {
            return false;
        }
    }

    /** Whether no element is greater than max. */
    boolean maxElement(int max) {
        return maxElementBelow(max, root, 0);
    }

    private boolean maxElementBelow(int max, AvlNode t, int depth) {
        if (depthBound < depth) {
            return true;
        } else if (t == null) {
            return true;
        } else if (max < t.element) {
            return false;
        } else if (maxElementBelow(max, t.left, depth + 1)) {
            return maxElementBelow(max, t.right, depth + 1);
        } else {
            return false;
        }
    }

    /** Whether no element is less than min. */
    boolean minElement(int min) {
        return minElementBelow(min, root, 0);
    }

    private boolean minElementBelow(int min, AvlNode t, int depth) {
        if (depthBound < depth) {
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
