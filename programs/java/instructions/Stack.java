package instructions;

/**
 * What javac needs the operand stack's instructions for: dup, dup_x1, dup_x2, dup2, dup2_x1, dup2_x2, pop and pop2. The forms that
 * it never writes are in Rare.jasm.
 */
public final class Stack {
    private int number;
    private long wide;
    private static int shared;
    private static long sharedWide;

    private Stack() {
    }

    private Stack(int number, long wide) {
        this.number = number;
        this.wide = wide;
    }

    /** dup: an assignment to a local or to a static field that is also a value. */
    public static int assignedTwice(int a) {
        int x;
        int y = x = a + 1;
        shared = y = x * 2;
        return x + y + shared;
    }

    /** dup_x1: an assignment to a field that is also a value. */
    public static int fieldAsValue(int a) {
        Stack s = new Stack();
        int x = s.number = a * 3;
        return x - s.number + s.number++ + ++s.number;
    }

    /** dup_x2: an assignment to a cell that is also a value. */
    public static int cellAsValue(int a, int i) {
        int[] cells = new int[4];
        int x = cells[i & 3] = a;
        int y = cells[i + 1 & 3]++;
        int z = ++cells[i + 1 & 3];
        return x + 10 * y + 100 * z + cells[i & 3];
    }

    /** dup2: an array and an index, or a long. */
    public static long arrayAndIndex(int a, int i, long l) {
        int[] cells = {a, a, a, a};
        cells[i & 3] += a;
        cells[i + 1 & 3] <<= 1;
        long x;
        long y = x = l;
        sharedWide = y = y + 1;
        return cells[0] - cells[1] + cells[2] - cells[3] + x + y + sharedWide;
    }

    /** dup2_x1: a long field as a value. */
    public static long wideFieldAsValue(long a) {
        Stack s = new Stack(1, 2);
        long x = s.wide = a;
        long y = s.wide++;
        long z = --s.wide;
        return x + y * 3 + z * 5 + s.wide;
    }

    /** dup2_x2: a long or double cell as a value. */
    public static double wideCellAsValue(long a, double d, int i) {
        long[] longs = new long[2];
        double[] doubles = new double[2];
        long x = longs[i & 1] = a;
        long y = longs[i & 1]--;
        double z = doubles[i & 1] = d;
        double w = doubles[i & 1] += 1.5;
        return x - y + z - w + longs[i & 1];
    }

    private static int one(int a) {
        shared += a;
        return shared;
    }

    private static long two(long a) {
        sharedWide += a;
        return sharedWide;
    }

    /** pop and pop2: results that nobody wants. */
    public static long discarded(int a, long l) {
        shared = 0;
        sharedWide = 0;
        one(a);
        two(l);
        one(a);
        new Stack(a, l);
        return shared + sharedWide;
    }

    /** The operands are evaluated from left to right, and an assignment does not change one that was evaluated before. */
    public static int order(int a) {
        int x = a;
        int y = x + (x = 3) * (x += 2) + x++;
        int[] cells = {1, 2, 3, 4};
        int i = 0;
        cells[i++] = cells[i] + i++ * 10;
        cells[i] = i = 3;
        return y + cells[0] * 1000 + cells[2] * 100 + i + x;
    }

    /** Ten values on the stack at once. */
    public static int deep(int a) {
        return a + (a + 1 - (a + 2 + (a + 3 - (a + 4 + (a + 5 - (a + 6 + (a + 7 - (a + 8 + (a + 9)))))))));
    }
}
