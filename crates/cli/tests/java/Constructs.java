package constructs;

import java.util.function.IntUnaryOperator;

/** What compilers make jumps of. Where JaCoCo counts a line in another way, the line says by which of its rules. */
public class Constructs {
    enum Size { SMALL, LARGE }

    record Pair(int first, int second) { }

    static final class Closing implements AutoCloseable {
        @Override
        public void close() { }
    }

    private Constructs() { }

    public static int numbers(int x) {
        switch (x) {
            case 1:
            case 2:
                return 10;
            case 5:
                x++;
            default:
                return x;
        }
    }

    public static int sizes(Size size) {
        return switch (size) {
            case SMALL -> 1;
            case LARGE -> 2;
        };
    }

    public static boolean both(int a, int b) {
        return a > 0 && (b > 0 || a == b);
    }

    public static int loops(int n) {
        int sum = 0;
        for (int i = 0; i < n && i < 3; i++) {
            if (i == 1) {
                continue;
            }
            sum += i;
        }
        do {
            sum--;
        } while (sum > 0);
        return sum;
    }

    public static int thrown(int[] a, int i) {
        int before = i + 1;
        try {
            before = before * 2;
            before = a[i];
        } catch (ArrayIndexOutOfBoundsException e) {
            return before;
        }
        return before;
    }

    public static int divided(int x) {
        int y = x + 1;
        int z = 10 / y;
        return z;
    }

    public static int always(int x) {
        int[] nothing = null; // JaCoCo: a block that an exception leaves is not seen
        int y = x + 1; // JaCoCo: a block that an exception leaves is not seen
        return nothing[y]; // JaCoCo: a block that an exception leaves is not seen
    }

    public static int lambdas(int x) {
        IntUnaryOperator twice = y -> y > 3 ? y * 2 : 0;
        return twice.applyAsInt(x);
    }

    public static int pairs(Pair pair) {
        return pair.first() < pair.second() ? pair.first() : pair.second();
    }

    public static int named(String name) {
        switch (name) { // JaCoCo: a switch over strings has the branches of its cases only
            case "a":
                return 1;
            case "b":
                return 2;
            default:
                return 3;
        }
    }

    public static int closed(int x) {
        try (Closing closing = new Closing()) { // JaCoCo: what closes a resource is not counted
            return x;
        } // JaCoCo: what closes a resource is not counted
    }

    public static int locked(Object lock, int x) {
        synchronized (lock) {
            return x + 1;
        }
    }

    public static int infeasible(int x) {
        if (x > 5 && x < 3) {
            return 1;
        }
        return 0;
    }
}
