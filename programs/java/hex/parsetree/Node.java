package hex.parsetree;

import lazuli.Lazuli;

/**
 * A node of a parse tree: {@code programs/hex/subjects/ParseTree.pose} in Java, method by method; {@code ParseTree.hex} beside that file is the
 * invariant. A node may have a body, a list of nodes with a first and a last one, each of which knows the body it is in; the body knows its node.
 */
public class Node {
    int type;
    int name;
    Block body;
    Node next;
    Block parent;

    // ---- the invariant: this is the root of a tree ----

    public boolean repOk() {
        return parent == null && next == null && bodyOk();
    }

    boolean bodyOk() {
        return body == null || body.owner == this && body.listOk();
    }

    public boolean repOkConservative() {
        if (Lazuli.isResolved(this, "parent") && parent != null || Lazuli.isResolved(this, "next") && next != null) {
            return false;
        }
        return bodyOkConservative();
    }

    boolean bodyOkConservative() {
        if (!Lazuli.isResolved(this, "body") || body == null) {
            return true;
        }
        if (Lazuli.isResolved(body, "owner") && body.owner != this) {
            return false;
        }
        return body.listOkConservative();
    }
}

class Block {
    Node first;
    Node last;
    Node owner;

    boolean listOk() {
        return first == null ? last == null : nodesOk(first);
    }

    /** A node knows only one body, so no node is in two of them. */
    private boolean nodesOk(Node e) {
        if (e.parent != this || !e.bodyOk()) {
            return false;
        }
        Node next = e.next;
        if (next == null) {
            return last == e;
        }
        return !isUpTo(next, first, e) && nodesOk(next);
    }

    /** Whether a node is one of those from one to another. */
    private static boolean isUpTo(Node e, Node from, Node to) {
        while (e != from) {
            if (from == to) {
                return false;
            }
            from = from.next;
        }
        return true;
    }

    boolean listOkConservative() {
        if (!Lazuli.isResolved(this, "first")) {
            return true;
        }
        if (first == null) {
            return !Lazuli.isResolved(this, "last") || last == null;
        }
        return nodesOkConservative(first);
    }

    private boolean nodesOkConservative(Node e) {
        if (Lazuli.isResolved(e, "parent") && e.parent != this || !e.bodyOkConservative()) {
            return false;
        }
        if (!Lazuli.isResolved(e, "next")) {
            return true;
        }
        Node next = e.next;
        if (next == null) {
            return !Lazuli.isResolved(this, "last") || last == e;
        }
        return !isUpTo(next, first, e) && nodesOkConservative(next);
    }
}

/** Visits the nodes of a tree, in order, up to a node at which to stop. That functions have a first node is taken for granted, which is its fault. */
class NodeTraversal {
    private int visited;

    public boolean repOkInputs(Node tree, Node stop) {
        return tree != null && tree != stop;
    }

    public int traverse(Node tree, Node stop) {
        visited = 0;
        visit(tree, stop);
        return visited;
    }

    /** Says whether to go on. */
    private boolean visit(Node e, Node stop) {
        if (e == stop) {
            return false;
        }
        visited = visited + 1;
        if (e.type == 1) {
            return visitBody(e.body.first, e.body, stop);
        }
        Block body = e.body;
        if (body == null) {
            return true;
        }
        Node first = body.first;
        return first == null || visitBody(first, body, stop);
    }

    private boolean visitBody(Node e, Block body, Node stop) {
        if (!visit(e, stop)) {
            return false;
        }
        Node next = e.next;
        if (next == null) {
            assert body.last == e;
            return true;
        }
        return visitBody(next, body, stop);
    }
}

/** Gives labels of a tree that have the name of another tree's root a name of their own. The other tree keeps its name. */
class RenameLabels {
    private int renamed;

    public boolean repOkInputs(Node tree, Node other) {
        return tree != null && other != null && tree != other;
    }

    public int rename(Node tree, Node other) {
        int name = other.name;
        renamed = 0;
        visit(tree, name);
        assert other.name == name;
        return renamed;
    }

    private void visit(Node e, int name) {
        if (e.type == 2 && e.name == name) {
            e.name = name + 1;
            renamed = renamed + 1;
        }
        Block body = e.body;
        if (body != null) {
            visitAll(body.first, name);
        }
    }

    /** A label is followed by what it labels. */
    private void visitAll(Node e, int name) {
        if (e == null) {
            return;
        }
        if (e.type == 2) {
            assert e.next != null;
        }
        visit(e, name);
        visitAll(e.next, name);
    }
}
