package instructions;

/**
 * newarray, anewarray, multianewarray, arraylength, and loads and stores of cells of every type. An index or a length that is
 * wrong throws.
 */
public final class ArraysOfEveryType {
    private ArraysOfEveryType() {
    }

    /** A length that fits into every memory; negative ones stay. */
    private static int sensible(int length) {
        return length > 100 ? 100 : length;
    }

    public static boolean storeBoolean(int length, int index, boolean value) {
        boolean[] cells = new boolean[sensible(length)];
        cells[index] = value;
        return cells[index];
    }

    public static boolean freshBoolean(int length, int index) {
        return (new boolean[sensible(length)])[index];
    }

    public static byte storeByte(int length, int index, byte value) {
        byte[] cells = new byte[sensible(length)];
        cells[index] = value;
        return cells[index];
    }

    public static byte freshByte(int length, int index) {
        return (new byte[sensible(length)])[index];
    }

    public static char storeChar(int length, int index, char value) {
        char[] cells = new char[sensible(length)];
        cells[index] = value;
        return cells[index];
    }

    public static char freshChar(int length, int index) {
        return (new char[sensible(length)])[index];
    }

    public static short storeShort(int length, int index, short value) {
        short[] cells = new short[sensible(length)];
        cells[index] = value;
        return cells[index];
    }

    public static short freshShort(int length, int index) {
        return (new short[sensible(length)])[index];
    }

    public static int storeInt(int length, int index, int value) {
        int[] cells = new int[sensible(length)];
        cells[index] = value;
        return cells[index];
    }

    public static int freshInt(int length, int index) {
        return (new int[sensible(length)])[index];
    }

    public static long storeLong(int length, int index, long value) {
        long[] cells = new long[sensible(length)];
        cells[index] = value;
        return cells[index];
    }

    public static long freshLong(int length, int index) {
        return (new long[sensible(length)])[index];
    }

    public static float storeFloat(int length, int index, float value) {
        float[] cells = new float[sensible(length)];
        cells[index] = value;
        return cells[index];
    }

    public static float freshFloat(int length, int index) {
        return (new float[sensible(length)])[index];
    }

    public static double storeDouble(int length, int index, double value) {
        double[] cells = new double[sensible(length)];
        cells[index] = value;
        return cells[index];
    }

    public static double freshDouble(int length, int index) {
        return (new double[sensible(length)])[index];
    }

    public static String storeString(int length, int index, String value) {
        String[] cells = new String[sensible(length)];
        cells[index] = value;
        return cells[index];
    }

    public static String freshString(int length, int index) {
        return (new String[sensible(length)])[index];
    }

    public static int load(int[] cells, int index) {
        return cells[index];
    }

    public static int store(int[] cells, int index, int value) {
        cells[index] = value;
        return cells[0];
    }

    public static int length(int[] cells) {
        return cells.length;
    }

    public static int sum(int[] cells) {
        int sum = 0;
        for (int cell : cells) {
            sum += cell;
        }
        return sum;
    }

    public static int largest(int[] cells) {
        int largest = cells[0];
        for (int i = 1; i < cells.length; i++) {
            if (cells[i] > largest) {
                largest = cells[i];
            }
        }
        return largest;
    }

    public static String reversed(int[] cells) {
        int[] copy = cells.clone();
        for (int i = 0, j = copy.length - 1; i < j; i++, j--) {
            int cell = copy[i];
            copy[i] = copy[j];
            copy[j] = cell;
        }
        String text = "";
        for (int cell : copy) {
            text += cell + ";";
        }
        return text;
    }

    public static boolean sorted(int[] cells) {
        int[] copy = cells.clone();
        for (int i = 1; i < copy.length; i++) {
            int cell = copy[i];
            int j = i;
            while (j > 0 && copy[j - 1] > cell) {
                copy[j] = copy[j - 1];
                j--;
            }
            copy[j] = cell;
        }
        for (int i = 1; i < copy.length; i++) {
            if (copy[i - 1] > copy[i]) {
                return false;
            }
        }
        return copy != cells;
    }

    /** The narrow types lose bits in cells. */
    public static int narrowed(int value) {
        byte[] bytes = {(byte) value};
        char[] chars = {(char) value};
        short[] shorts = {(short) value};
        bytes[0]++;
        chars[0]--;
        shorts[0] += 5;
        return bytes[0] + chars[0] + shorts[0];
    }

    public static String initialised(boolean b, byte y, char c, short s, int i, long l, float f, double d, String t) {
        boolean[] booleans = {b, !b};
        byte[] bytes = {y, 1};
        char[] chars = {c, 'x'};
        short[] shorts = {s, 2};
        int[] ints = {i, 3};
        long[] longs = {l, 4};
        float[] floats = {f, 5};
        double[] doubles = {d, 6};
        String[] strings = {t, null};
        return "" + booleans[1] + bytes[0] + (int) chars[0] + shorts[0] + ints[0] + longs[0] + floats[1] + doubles[1] + strings[1]
            + (booleans.length + bytes.length + chars.length + floats.length + doubles.length);
    }

    /** The lengths are checked from the left, all before anything is made. */
    public static int rectangular(int rows, int columns) {
        int[][] cells = new int[sensible(rows)][sensible(columns)];
        int count = 0;
        for (int[] row : cells) {
            count += row.length;
        }
        return count;
    }

    public static int rectangularCell(int rows, int columns, int i, int j, int value) {
        int[][] cells = new int[sensible(rows)][sensible(columns)];
        cells[i][j] = value;
        int sum = 0;
        for (int k = 0; k < cells.length; k++) {
            sum += cells[k][j] * (k + 1);
        }
        return sum;
    }

    /** The rows are null at first. */
    public static int rowsOnly(int rows, int i) {
        long[][][] cells = new long[sensible(rows)][2][];
        return cells[i].length + cells[i][1].length;
    }

    public static int jagged(int n) {
        int[][] rows = new int[n & 7][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new int[i];
            for (int j = 0; j < i; j++) {
                rows[i][j] = i * j;
            }
        }
        int sum = 0;
        for (int[] row : rows) {
            for (int cell : row) {
                sum += cell;
            }
        }
        return sum;
    }

    public static int sharedRow(int value) {
        int[] row = {1, 2, 3};
        int[][] rows = {row, row, {4, 5, 6}};
        rows[0][1] = value;
        return rows[1][1] * 10 + rows[2][1];
    }

    /** A clone is shallow. */
    public static int shallowClone(int value) {
        int[][] rows = {{1}, {2}};
        int[][] copy = rows.clone();
        copy[0][0] = value;
        copy[1] = new int[] {value};
        return rows[0][0] * 10 + rows[1][0];
    }

    public static String classes(int which) {
        Object[] arrays = {new boolean[0], new byte[0], new char[0], new short[0], new int[0], new long[0], new float[0], new double[0],
            new String[0], new int[0][0], new Object[0][][]};
        return arrays[which].getClass().getName();
    }

    public static int copied(int[] cells, int from, int to, int count) {
        int[] copy = new int[8];
        System.arraycopy(cells, from, copy, to, count);
        int hash = 0;
        for (int cell : copy) {
            hash = hash * 31 + cell;
        }
        return hash;
    }

    public static String sieve(int limit) {
        boolean[] composite = new boolean[limit & 63];
        StringBuilder primes = new StringBuilder();
        for (int i = 2; i < composite.length; i++) {
            if (!composite[i]) {
                primes.append(i).append(' ');
                for (int j = i * i; j < composite.length; j += i) {
                    composite[j] = true;
                }
            }
        }
        return primes.toString();
    }
}
