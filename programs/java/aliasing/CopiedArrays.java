package aliasing;

import aliasing.Cells.Cell;

/**
 * Arrays that are copied into arrays of another class: what comes before the first element that does not fit is moved, then the copy
 * fails. An assert of a method {@code …Fails} is violated for some inputs, that of a method {@code …Holds} for none.
 */
public final class CopiedArrays {
    private CopiedArrays() {
    }

    private static boolean fits(Object element) {
        return element == null || element instanceof Cell;
    }

    public static void misfitFails(Object[] from, Cell[] to) {
        if (from != null && to != null && from.length > 0 && to.length > 0) {
            try {
                System.arraycopy(from, 0, to, 0, 1);
            } catch (ArrayStoreException e) {
                assert false;
            }
        }
    }

    public static void fitFails(Object[] from, Cell[] to) {
        if (from != null && to != null && from.length > 0 && to.length > 0) {
            System.arraycopy(from, 0, to, 0, 1);
            assert to[0] == null;
        }
    }

    public static void onlyMisfitsHolds(Object[] from, Cell[] to) {
        if (from != null && to != null && from.length > 0 && to.length > 0) {
            Object first = from[0];
            try {
                System.arraycopy(from, 0, to, 0, 1);
                assert fits(first) && to[0] == first;
            } catch (ArrayStoreException e) {
                assert !fits(first);
            }
        }
    }

    /** All before the misfit is moved, and nothing behind it. */
    public static void movedBeforeHolds(Object a, Object b, Object c) {
        Object[] from = {a, b, c};
        Cell[] to = {new Cell(), new Cell(), new Cell(), new Cell()};
        Cell first = to[0];
        Cell second = to[1];
        Cell third = to[2];
        Cell last = to[3];
        try {
            System.arraycopy(from, 0, to, 1, 3);
            assert fits(a) && fits(b) && fits(c);
            assert to[1] == a && to[2] == b && to[3] == c;
        } catch (ArrayStoreException e) {
            assert !fits(a) || !fits(b) || !fits(c);
            assert fits(a) ? to[1] == a : to[1] == second;
            assert fits(a) && fits(b) ? to[2] == b : to[2] == third;
            assert to[3] == last;
        }
        assert to[0] == first;
    }

    public static void movedBeforeFails(Object a, Object b) {
        Object[] from = {a, b};
        Cell[] to = {new Cell(), new Cell()};
        try {
            System.arraycopy(from, 0, to, 0, 2);
        } catch (ArrayStoreException e) {
            assert to[0] != null;
        }
    }

    /** An element that is not copied may be anything. */
    public static void countHolds(Object a, Object b, int count) {
        Object[] from = {a, b};
        Cell[] to = new Cell[2];
        if (count >= 0 && count <= 2) {
            try {
                System.arraycopy(from, 0, to, 0, count);
                assert (count < 1 || fits(a)) && (count < 2 || fits(b));
                assert to[0] == (count < 1 ? null : a) && to[1] == (count < 2 ? null : b);
            } catch (ArrayStoreException e) {
                assert count > 0 && !fits(a) || count > 1 && !fits(b);
                assert to[1] == null;
            }
        }
    }

    public static void countFails(Object a, Object b, int count) {
        Object[] from = {a, b};
        Cell[] to = new Cell[2];
        if (count >= 0 && count <= 2 && fits(a)) {
            try {
                System.arraycopy(from, 0, to, 0, count);
            } catch (ArrayStoreException e) {
                assert to[0] == null;
            }
        }
    }

    /** The class of the array counts, not the type of the variable. */
    public static void classOfTargetHolds(Object a, boolean objects) {
        Object[] from = {a};
        Object[] to = objects ? new Object[1] : new Cell[1];
        try {
            System.arraycopy(from, 0, to, 0, 1);
            assert to[0] == a && (objects || fits(a));
        } catch (ArrayStoreException e) {
            assert !objects && !fits(a);
        }
    }

    /** Elements of a narrower class always fit. */
    public static void widerHolds(Cell[] from) {
        if (from != null && from.length == 1) {
            Object[] objects = new Object[1];
            System.arraycopy(from, 0, objects, 0, 1);
            assert objects[0] == from[0];
        }
    }

    public static void interfaceHolds(Object a) {
        Comparable<?>[] to = new Comparable<?>[1];
        try {
            System.arraycopy(new Object[] {a}, 0, to, 0, 1);
            assert a == null || a instanceof Comparable<?>;
        } catch (ArrayStoreException e) {
            assert !(a instanceof Comparable<?>);
        }
    }

    /** Arrays of numbers and of references do not mix, whatever is copied; and what is no array at all is not copied. */
    public static void kindsHolds(Object from, int[] numbers) {
        if (from != null && numbers != null) {
            try {
                System.arraycopy(from, 0, numbers, 0, 0);
                assert from instanceof int[];
            } catch (ArrayStoreException e) {
                assert !(from instanceof int[]);
            }
        }
    }

    public static void ofObjectsHolds(Object from) {
        Object[] to = new Object[1];
        if (from != null) {
            try {
                System.arraycopy(from, 0, to, 0, 0);
                assert from instanceof Object[];
            } catch (ArrayStoreException e) {
                assert !(from instanceof Object[]);
            }
        }
    }

    public static void ofObjectsFails(Object from) {
        Object[] to = new Object[1];
        try {
            System.arraycopy(from, 0, to, 0, 1);
        } catch (ArrayStoreException e) {
            return;
        }
        assert to[0] != null;
    }
}
