package repok;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.IntStream;

/** A doubly linked list: repOk walks with a set of visited nodes, and counts last. */
class Doubly {
    static class Node {
        int item;
        Node next;
        Node prev;
    }

    Node head;
    Node tail;
    int size;

    boolean repOk() {
        if (head == null || tail == null) {
            return head == null && tail == null && size == 0;
        }
        if (head.prev != null || tail.next != null) {
            return false;
        }
        Set<Node> visited = new HashSet<>();
        Node last = null;
        for (Node n = head; n != null; n = n.next) {
            if (!visited.add(n) || n.prev != last) {
                return false;
            }
            last = n;
        }
        return last == tail && visited.size() == size;
    }

    int first() {
        return head.item;
    }

    void addFirst(int item) {
        Node n = new Node();
        n.item = item;
        n.next = head;
        if (head == null) {
            tail = n;
        } else {
            head.prev = n;
        }
        head = n;
        size++;
    }

    boolean contains(int item) {
        for (Node n = head; n != null; n = n.next) {
            if (n.item == item) {
                return true;
            }
        }
        return false;
    }

    int get(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException();
        }
        if (index < size / 2) {
            Node n = head;
            for (int i = 0; i < index; i++) {
                n = n.next;
            }
            return n.item;
        }
        Node n = tail;
        for (int i = size - 1; i > index; i--) {
            n = n.prev;
        }
        return n.item;
    }
}

/** A binary search tree: repOK, private, recursive, with bounds that are boxed. */
class Search {
    static class Node {
        int key;
        Node left;
        Node right;
    }

    Node root;
    int size;

    private boolean repOK() {
        Set<Node> visited = new HashSet<>();
        return isOrdered(root, null, null, visited) && visited.size() == size;
    }

    private static boolean isOrdered(Node n, Integer low, Integer high, Set<Node> visited) {
        if (n == null) {
            return true;
        }
        if (!visited.add(n)) {
            return false;
        }
        if (low != null && n.key <= low || high != null && n.key >= high) {
            return false;
        }
        return isOrdered(n.left, low, n.key, visited) && isOrdered(n.right, n.key, high, visited);
    }

    boolean contains(int key) {
        Node n = root;
        while (n != null) {
            if (key == n.key) {
                return true;
            }
            n = key < n.key ? n.left : n.right;
        }
        return false;
    }

    int least() {
        Node n = root;
        while (n.left != null) {
            n = n.left;
        }
        return n.key;
    }
}

/** An AVL tree: invariant() walks with a queue and a set, and looks at heights afterwards. */
class Avl {
    static class Node {
        int key;
        int height;
        Node left;
        Node right;
    }

    Node root;

    boolean invariant() {
        if (root == null) {
            return true;
        }
        Set<Node> visited = new HashSet<>();
        ArrayDeque<Node> work = new ArrayDeque<>();
        visited.add(root);
        work.add(root);
        while (!work.isEmpty()) {
            Node n = work.remove();
            if (n.left != null) {
                if (!visited.add(n.left)) {
                    return false;
                }
                work.add(n.left);
            }
            if (n.right != null) {
                if (!visited.add(n.right)) {
                    return false;
                }
                work.add(n.right);
            }
        }
        return isBalanced(root) && isOrdered(root, null, null);
    }

    private static int height(Node n) {
        return n == null ? 0 : n.height;
    }

    private static boolean isBalanced(Node n) {
        if (n == null) {
            return true;
        }
        if (!isBalanced(n.left) || !isBalanced(n.right)) {
            return false;
        }
        int left = height(n.left);
        int right = height(n.right);
        return Math.abs(left - right) <= 1 && n.height == Math.max(left, right) + 1;
    }

    private static boolean isOrdered(Node n, Node low, Node high) {
        if (n == null) {
            return true;
        }
        if (low != null && n.key <= low.key || high != null && high.key <= n.key) {
            return false;
        }
        return isOrdered(n.left, low, n) && isOrdered(n.right, n, high);
    }

    boolean find(int key) {
        Node n = root;
        while (n != null && n.key != key) {
            n = key < n.key ? n.left : n.right;
        }
        return n != null;
    }
}

/** A red-black tree with parents: colours and heights are looked at when the shape is known. */
class RedBlack {
    static class Entry {
        int key;
        boolean black;
        Entry left;
        Entry right;
        Entry parent;
    }

    Entry root;
    int size;

    boolean repOk() {
        if (root == null) {
            return size == 0;
        }
        if (root.parent != null || !root.black) {
            return false;
        }
        Set<Entry> visited = new HashSet<>();
        if (!isTree(root, visited) || visited.size() != size) {
            return false;
        }
        return height(root) >= 0 && isOrdered(root, null, null);
    }

    private static boolean isTree(Entry e, Set<Entry> visited) {
        if (!visited.add(e)) {
            return false;
        }
        if (e.left != null && (e.left.parent != e || !isTree(e.left, visited))) {
            return false;
        }
        return e.right == null || e.right.parent == e && isTree(e.right, visited);
    }

    private static int height(Entry e) {
        if (e == null) {
            return 0;
        }
        if (!e.black && (e.left != null && !e.left.black || e.right != null && !e.right.black)) {
            return -1;
        }
        int left = height(e.left);
        int right = height(e.right);
        return left < 0 || left != right ? -1 : e.black ? left + 1 : left;
    }

    private static boolean isOrdered(Entry e, Entry low, Entry high) {
        if (e == null) {
            return true;
        }
        if (low != null && e.key <= low.key || high != null && high.key <= e.key) {
            return false;
        }
        return isOrdered(e.left, low, e) && isOrdered(e.right, e, high);
    }

    boolean contains(int key) {
        Entry e = root;
        while (e != null) {
            if (key == e.key) {
                return true;
            }
            e = key < e.key ? e.left : e.right;
        }
        return false;
    }

    Entry successor(Entry e) {
        if (e.right != null) {
            Entry n = e.right;
            while (n.left != null) {
                n = n.left;
            }
            return n;
        }
        Entry child = e;
        Entry up = e.parent;
        while (up != null && child == up.right) {
            child = up;
            up = up.parent;
        }
        return up;
    }

    int second() {
        Entry e = root;
        while (e.left != null) {
            e = e.left;
        }
        return successor(e).key;
    }
}

/** Three queues of processes: every process is in the queue of its state, and in one only. */
class Schedule {
    static class Process {
        int id;
        int state;
        Process next;
    }

    Process ready;
    Process blocked;
    Process done;
    int number;

    boolean repOk() {
        Set<Process> visited = new HashSet<>();
        if (!isQueue(ready, 0, visited) || !isQueue(blocked, 1, visited) || !isQueue(done, 2, visited)) {
            return false;
        }
        return visited.size() == number && IntStream.range(0, number).allMatch(i -> i >= 0);
    }

    private static boolean isQueue(Process first, int state, Set<Process> visited) {
        for (Process p = first; p != null; p = p.next) {
            if (!visited.add(p) || p.state != state) {
                return false;
            }
        }
        return true;
    }

    int block() {
        Process p = ready;
        ready = p.next;
        p.next = blocked;
        p.state = 1;
        blocked = p;
        return p.id;
    }

    boolean isReady(int id) {
        for (Process p = ready; p != null; p = p.next) {
            if (p.id == id) {
                return true;
            }
        }
        return false;
    }
}

/** A map with chains: every entry is in the chain of its key, and no key is there twice. */
class Chains {
    static class Entry {
        int key;
        int value;
        Entry next;
    }

    Entry even;
    Entry odd;
    int size;

    boolean checkRep() {
        IdentityHashMap<Entry, Boolean> visited = new IdentityHashMap<>();
        Set<Integer> keys = new HashSet<>();
        return isChain(even, 0, visited) && isChain(odd, 1, visited) && visited.size() == size && keys.isEmpty();
    }

    private static boolean isChain(Entry first, int rest, IdentityHashMap<Entry, Boolean> visited) {
        for (Entry e = first; e != null; e = e.next) {
            if (visited.put(e, true) != null || (e.key & 1) != rest) {
                return false;
            }
            for (Entry other = first; other != e; other = other.next) {
                if (other.key == e.key) {
                    return false;
                }
            }
        }
        return true;
    }

    int get(int key) {
        for (Entry e = (key & 1) == 0 ? even : odd; e != null; e = e.next) {
            if (e.key == key) {
                return e.value;
            }
        }
        return -1;
    }
}
