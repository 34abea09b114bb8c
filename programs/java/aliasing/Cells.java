package aliasing;

/**
 * Parameters and fields that may be the same object. An assert of a method {@code …Fails} is violated for some inputs, that of a
 * method {@code …Holds} for none; null dereferences are another matter.
 */
public final class Cells {
    private Cells() {
    }

    public static class Cell {
        int val;
        Cell next;
        Object data;
    }

    public static final class Special extends Cell {
        int extra;
    }

    static final class Other {
        int val;
    }

    // ---- two names of one object ----

    public static void twoWritesFails(Cell a, Cell b) {
        a.val = 1;
        b.val = 2;
        assert a.val == 1;
    }

    public static void twoWritesHolds(Cell a, Cell b) {
        a.val = 1;
        b.val = 2;
        assert a.val == 1 || a == b;
        assert b.val == 2;
    }

    public static void guardedHolds(Cell a, Cell b) {
        if (a != b) {
            a.val = 1;
            b.val = 2;
            assert a.val == 1;
        }
    }

    public static void sameValueHolds(Cell a, Cell b) {
        if (a == b) {
            assert a.val == b.val;
            assert a.next == b.next;
        }
    }

    public static void differentValuesHolds(Cell a, Cell b) {
        if (a.val != b.val) {
            assert a != b;
        }
    }

    /** A subclass's object is one of the superclass's. */
    public static void subclassFails(Cell a, Special b) {
        a.val = 1;
        b.val = 2;
        assert a.val == 1;
    }

    /** Unrelated classes have no common object. */
    public static void unrelatedHolds(Cell a, Other b) {
        a.val = 1;
        b.val = 2;
        assert a.val == 1;
    }

    /** What is new is nobody's. */
    public static void freshHolds(Cell a) {
        Cell b = new Cell();
        b.val = 2;
        a.val = 1;
        assert b.val == 2;
        assert a != b;
        assert a.next != b;
        assert a.next == null || a.next.next != b;
    }

    public static void throughObjectFails(Cell a, Cell b) {
        Object x = a.data;
        if (x instanceof Cell c) {
            c.val = 5;
            b.val = 6;
            assert c.val == 5;
        }
    }

    public static void threeNamesFails(Cell a, Cell b, Cell c) {
        a.val = 1;
        b.val = 2;
        c.val = 3;
        assert a.val + b.val + c.val != 9;
    }

    public static void threeNamesHolds(Cell a, Cell b, Cell c) {
        a.val = 1;
        b.val = 2;
        c.val = 3;
        if (a.val == 2) {
            assert a == b && b != c;
        }
    }

    // ---- fields that lead back ----

    public static void nextIsAnotherFails(Cell n) {
        assert n.next != n;
    }

    public static void nextOfNextFails(Cell n) {
        assert n.next.next != n;
    }

    public static void cycleOfTwoHolds(Cell n) {
        if (n.next.next == n && n.next != n) {
            n.next.val = 1;
            n.val = 2;
            assert n.next.val == 1;
        }
    }

    public static void dataIsAnotherFails(Cell n) {
        assert n.data != n;
    }

    public static void writeThroughItselfFails(Cell n) {
        Cell m = n.next;
        m.next = null;
        assert n.next == m;
    }

    public static void staleValueFails(Cell a, Cell b) {
        int before = a.next.val;
        b.next.val++;
        assert a.next.val == before;
    }

    // ---- swapping ----

    public static void swap(Cell a, Cell b) {
        int val = a.val;
        a.val = b.val;
        b.val = val;
    }

    public static void swapTwiceHolds(Cell a, Cell b) {
        int x = a.val;
        int y = b.val;
        swap(a, b);
        swap(a, b);
        assert a.val == x && b.val == y;
    }

    public static void swapHolds(Cell a, Cell b) {
        int x = a.val;
        int y = b.val;
        swap(a, b);
        assert a.val == y && b.val == x;
    }

    public static void swapWithItselfHolds(Cell a) {
        int x = a.val;
        swap(a, a);
        assert a.val == x;
    }

    /** Without a third place, swapping with itself loses the value. */
    public static void swapByXor(Cell a, Cell b) {
        a.val ^= b.val;
        b.val ^= a.val;
        a.val ^= b.val;
    }

    public static void swapByXorFails(Cell a, Cell b) {
        int x = a.val;
        int y = b.val;
        swapByXor(a, b);
        assert a.val == y && b.val == x;
    }

    public static void swapByXorHolds(Cell a, Cell b) {
        int x = a.val;
        int y = b.val;
        if (a != b) {
            swapByXor(a, b);
            assert a.val == y && b.val == x;
        }
    }

    public static void transferFails(Cell from, Cell to, int amount) {
        if (amount > 0 && amount < 1000 && from.val >= amount && from.val < 1000) {
            int total = from.val + to.val;
            int credited = to.val + amount;
            from.val -= amount;
            to.val = credited;
            assert from.val + to.val == total;
        }
    }

    public static void transferHolds(Cell from, Cell to, int amount) {
        int total = from.val + to.val;
        from.val -= amount;
        to.val += amount;
        assert from.val + to.val == total;
    }

    /** They are put into an array before anyone has looked at them. */
    public static void putAwayFails(Cell a, Cell b) {
        Cell[] both = {a, b};
        both[0].val = 1;
        both[1].val = 2;
        assert a.val == 1;
    }

    public static void putAwayHolds(Cell a, Cell b) {
        Cell[] both = {a, b};
        both[0].val = 1;
        both[1].val = 2;
        assert a == b || a.val == 1;
    }

    public static void hashHolds(Cell a, Cell b) {
        int x = System.identityHashCode(a);
        int y = System.identityHashCode(b);
        assert a != b || x == y;
    }
}
