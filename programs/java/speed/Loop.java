package speed;

/** Concrete work, to measure how fast constants are executed. */
public final class Loop {
    private Loop() {
    }

    /** Twelve bytecode instructions an iteration. */
    public static int mix(int iterations) {
        int sum = 0;
        for (int i = 0; i < iterations; i++) {
            sum += i ^ sum << 1;
        }
        return sum;
    }

    public static int million() {
        return mix(1_000_000);
    }
}
