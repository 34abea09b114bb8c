package hex.arrays;

/** A tree whose nodes have their children in arrays, and a registry in a static field: inputs that arrays of references are part of. */
public class Forest {
    static class Node {
        int number;
        Node[] children;
    }

    /** A node that everybody knows. */
    static Node known;

    private Node[] roots;

    /** The number of the first child of the first tree. */
    public int firstGrandchild() {
        Node root = roots[0];
        Node child = root.children[0];
        assert child != root;
        return child.number;
    }

    /** Whether two places of the forest hold one tree: not if no tree stands at two places. */
    public boolean shares(int i, int j) {
        if (i == j) {
            return false;
        }
        return roots[i] == roots[j];
    }

    /** Whether the node that everybody knows has a number. */
    public boolean knows() {
        return known.number != 0;
    }
}
