package aliasing;

/**
 * Arrays that may be the same, cells that may be the same, rows that are shared. An assert of a method {@code …Fails} is violated for
 * some inputs, that of a method {@code …Holds} for none; wrong indices and nulls are another matter.
 */
public final class OverlappingArrays {
    private OverlappingArrays() {
    }

    public static void twoArraysFails(int[] a, int[] b, int i, int j) {
        a[i] = 1;
        b[j] = 2;
        assert a[i] == 1;
    }

    public static void twoArraysHolds(int[] a, int[] b, int i, int j) {
        a[i] = 1;
        b[j] = 2;
        assert a[i] == 1 || a == b && i == j;
    }

    public static void oneArrayFails(int[] a, int i, int j) {
        a[i] = 1;
        a[j] = 2;
        assert a[i] == 1;
    }

    public static void oneArrayHolds(int[] a, int i, int j) {
        if (i != j) {
            a[i] = 1;
            a[j] = 2;
            assert a[i] == 1;
        }
    }

    public static void constantIndicesFails(int[] a, int[] b) {
        a[0] = 1;
        b[0] = 2;
        assert a[0] == 1;
    }

    public static void constantIndicesHolds(int[] a, int[] b) {
        a[0] = 1;
        b[1] = 2;
        assert a[0] == 1;
    }

    public static void lengthsHolds(int[] a, int[] b) {
        if (a.length != b.length) {
            a[0] = 1;
            b[0] = 2;
            assert a[0] == 1;
        }
    }

    /** An int array and a long array are never the same. */
    public static void typesHolds(int[] a, long[] b) {
        a[0] = 1;
        b[0] = 2;
        assert a[0] == 1;
    }

    /** An array of strings may be the array of objects. */
    public static void covarianceFails(Object[] a, String[] b) {
        a[0] = null;
        b[0] = "text";
        assert a[0] == null;
    }

    public static void freshHolds(int[] a, int i) {
        int[] b = new int[4];
        a[i] = 7;
        assert b[0] == 0 && b[3] == 0;
        assert a != b;
    }

    // ---- copying an array onto itself ----

    /** The result is as if there were a copy in between. */
    public static void shiftRightHolds(int[] a) {
        if (a.length == 4) {
            int a0 = a[0];
            int a1 = a[1];
            int a2 = a[2];
            System.arraycopy(a, 0, a, 1, 3);
            assert a[0] == a0 && a[1] == a0 && a[2] == a1 && a[3] == a2;
        }
    }

    public static void shiftLeftHolds(int[] a) {
        if (a.length == 4) {
            int a1 = a[1];
            int a2 = a[2];
            int a3 = a[3];
            System.arraycopy(a, 1, a, 0, 3);
            assert a[0] == a1 && a[1] == a2 && a[2] == a3 && a[3] == a3;
        }
    }

    /** A loop from the left is no copy: the first cell spreads. */
    public static void shiftByLoopFails(int[] a) {
        if (a.length == 4) {
            int a2 = a[2];
            for (int i = 0; i < 3; i++) {
                a[i + 1] = a[i];
            }
            assert a[3] == a2;
        }
    }

    public static void copyBetweenFails(int[] a, int[] b) {
        if (a.length == 3 && b.length == 3) {
            System.arraycopy(b, 0, a, 1, 2);
            assert b[0] == a[1] && b[1] == a[2];
        }
    }

    public static void copyBetweenHolds(int[] a, int[] b) {
        if (a != b && a.length == 3 && b.length == 3) {
            System.arraycopy(b, 0, a, 1, 2);
            assert b[0] == a[1] && b[1] == a[2];
        }
    }

    public static void symbolicShiftHolds(int[] a, int from, int to) {
        if (a.length == 4 && from >= 0 && from <= 2 && to >= 0 && to <= 2) {
            int first = a[from];
            int second = a[from + 1];
            System.arraycopy(a, from, a, to, 2);
            assert a[to] == first && a[to + 1] == second;
        }
    }

    // ---- two parameters ----

    public static void sumInto(int[] target, int[] x, int[] y) {
        for (int i = 0; i < target.length; i++) {
            target[i] = x[i] + y[i];
        }
    }

    /** Cell by cell: the target may be an operand. */
    public static void sumIntoHolds(int[] target, int[] x, int[] y) {
        if (target.length == 2 && x.length == 2 && y.length == 2) {
            int first = x[0] + y[0];
            int second = x[1] + y[1];
            sumInto(target, x, y);
            assert target[0] == first && target[1] == second;
        }
    }

    public static void reverseInto(int[] target, int[] source) {
        for (int i = 0; i < source.length; i++) {
            target[source.length - 1 - i] = source[i];
        }
    }

    public static void reverseIntoFails(int[] target, int[] source) {
        if (target.length == 2 && source.length == 2) {
            int first = source[0];
            int second = source[1];
            reverseInto(target, source);
            assert target[1] == first && target[0] == second;
        }
    }

    public static void swapCellsHolds(int[] a, int i, int j) {
        int x = a[i];
        int y = a[j];
        a[i] = y;
        a[j] = x;
        assert a[i] == y && a[j] == x;
    }

    public static void swapCellsByXorFails(int[] a, int i, int j) {
        int x = a[i];
        a[i] ^= a[j];
        a[j] ^= a[i];
        a[i] ^= a[j];
        assert a[j] == x;
    }

    // ---- rows ----

    public static void rowsFails(int[][] rows, int i, int j) {
        if (i != j) {
            rows[i][0] = 1;
            rows[j][0] = 2;
            assert rows[i][0] == 1;
        }
    }

    public static void rowsHolds(int[][] rows, int i, int j) {
        if (rows[i] != rows[j]) {
            rows[i][0] = 1;
            rows[j][0] = 2;
            assert rows[i][0] == 1;
            assert i != j;
        }
    }

    public static void rowAndArrayFails(int[][] rows, int[] a) {
        rows[1][0] = 1;
        a[0] = 2;
        assert rows[1][0] == 1;
    }

    public static void ownRowsHolds(int value) {
        int[][] rows = new int[2][2];
        rows[0][1] = value;
        rows[1][1] = value + 1;
        assert rows[0][1] == value;
    }

    public static void replacedRowFails(int[][] rows, int[][] others) {
        int[] row = {1};
        rows[0] = row;
        others[0] = null;
        assert rows[0] == row;
    }

    /** The diagonal stays, unless the rows are one row. */
    public static void transposeFails(int[][] m) {
        if (m.length == 2 && m[0].length == 2 && m[1].length == 2) {
            int first = m[0][0];
            int second = m[1][1];
            int upper = m[0][1];
            m[0][1] = m[1][0];
            m[1][0] = upper;
            assert m[0][0] == first && m[1][1] == second;
        }
    }

    /** An array of objects may contain itself. */
    public static void containsItselfFails(Object[] a) {
        assert a[0] != a;
    }

    /** No array is shorter than nothing. */
    public static void copyNothingHolds(int[] from, int[] to) {
        if (from != null && to != null) {
            try {
                System.arraycopy(from, 0, to, 0, 0);
            } catch (IndexOutOfBoundsException e) {
                assert false;
            }
        }
    }

    public static void cloneHolds(int[] a) {
        int[] b = a.clone();
        assert b != a && b.length == a.length && (b.length == 0 || b[0] == a[0]);
    }
}
