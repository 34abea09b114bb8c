package hex.avltree;

import java.util.NoSuchElementException;

import lazuli.Lazuli;

class AvlNode {
    int element;
    int height;
    AvlNode left;
    AvlNode right;
}

/**
 * An AVL tree of integers whose nodes know their height: {@code programs/hex/subjects/AvlTree.pose} in Java, method by method.
 * {@code AvlTree.hex} beside that file is its invariant.
 */
public class AvlTree {
    private AvlNode root;

    // ---- the invariant ----

    public boolean repOk() {
        return root == null || subtreeOk(root, null, null);
    }

    /** The subtree's elements lie between those of two nodes, where there are such. */
    private static boolean subtreeOk(AvlNode t, AvlNode low, AvlNode high) {
        AvlNode left = t.left;
        if (left != null && outside(left, low, t)) {
            return false;
        }
        AvlNode right = t.right;
        if (right != null && outside(right, t, high) || !balanced(t.height, height(left), height(right))) {
            return false;
        }
        return (left == null || subtreeOk(left, low, t)) && (right == null || subtreeOk(right, t, high));
    }

    private static boolean outside(AvlNode t, AvlNode low, AvlNode high) {
        return low != null && t.element <= low.element || high != null && high.element <= t.element;
    }

    private static boolean balanced(int height, int left, int right) {
        return height == left + 1 && (right == left || right == left - 1) || height == right + 1 && left == right - 1;
    }

    public boolean repOkConservative() {
        return !Lazuli.isResolved(this, "root") || partialOk(root, null, null);
    }

    private static boolean partialOk(AvlNode t, AvlNode low, AvlNode high) {
        if (t == null) {
            return true;
        }
        if (outside(t, low, high)
                || Lazuli.isResolved(t, "left") && !partialOk(t.left, low, t)
                || Lazuli.isResolved(t, "right") && !partialOk(t.right, t, high)) {
            return false;
        }
        if (!Lazuli.isResolved(t, "left") || !Lazuli.isResolved(t, "right")) {
            return true;
        }
        return balanced(t.height, height(t.left), height(t.right));
    }

    // ---- queries ----

    public boolean isEmpty() {
        return root == null;
    }

    public int find(int x) {
        return elementAt(findNode(x));
    }

    public boolean contains(int x) {
        return findNode(x) != null;
    }

    private AvlNode findNode(int x) {
        AvlNode t = root;
        while (t != null) {
            if (x < t.element) {
                t = t.left;
            } else if (t.element < x) {
                t = t.right;
            } else {
                return t;
            }
        }
        return null;
    }

    public int findMin() {
        AvlNode t = root;
        if (t != null) {
            for (AvlNode left = t.left; left != null; left = t.left) {
                t = left;
            }
        }
        return elementAt(t);
    }

    public int findMax() {
        AvlNode t = root;
        if (t != null) {
            for (AvlNode right = t.right; right != null; right = t.right) {
                t = right;
            }
        }
        return elementAt(t);
    }

    private static int elementAt(AvlNode t) {
        if (t == null) {
            throw new NoSuchElementException();
        }
        return t.element;
    }

    private static int height(AvlNode t) {
        return t == null ? -1 : t.height;
    }

    private static int max(int a, int b) {
        return a < b ? b : a;
    }

    // ---- changes ----

    public void makeEmpty() {
        root = null;
    }

    public void insert(int x) {
        root = insertAt(x, root);
    }

    private static AvlNode insertAt(int x, AvlNode t) {
        if (t == null) {
            return leaf(x);
        }
        if (x < t.element) {
            return measured(insertLeft(x, t));
        }
        if (t.element < x) {
            return measured(insertRight(x, t));
        }
        return t;
    }

    private static AvlNode leaf(int x) {
        AvlNode t = new AvlNode();
        t.element = x;
        t.height = 0;
        return t;
    }

    private static AvlNode insertLeft(int x, AvlNode t) {
        t.left = insertAt(x, t.left);
        if (height(t.left) - height(t.right) == 2) {
            return x < t.left.element ? rotateWithLeftChild(t) : doubleWithLeftChild(t);
        }
        return t;
    }

    private static AvlNode insertRight(int x, AvlNode t) {
        t.right = insertAt(x, t.right);
        if (height(t.right) - height(t.left) == 2) {
            return t.right.element < x ? rotateWithRightChild(t) : doubleWithRightChild(t);
        }
        return t;
    }

    private static AvlNode rotateWithLeftChild(AvlNode t) {
        AvlNode lifted = t.left;
        t.left = lifted.right;
        lifted.right = t;
        measured(t);
        return measured(lifted);
    }

    private static AvlNode rotateWithRightChild(AvlNode t) {
        AvlNode lifted = t.right;
        t.right = lifted.left;
        lifted.left = t;
        measured(t);
        return measured(lifted);
    }

    private static AvlNode doubleWithLeftChild(AvlNode t) {
        t.left = rotateWithRightChild(t.left);
        return rotateWithLeftChild(t);
    }

    private static AvlNode doubleWithRightChild(AvlNode t) {
        t.right = rotateWithLeftChild(t.right);
        return rotateWithRightChild(t);
    }

    /** A node whose height is right again. */
    private static AvlNode measured(AvlNode t) {
        t.height = max(height(t.left), height(t.right)) + 1;
        return t;
    }
}
