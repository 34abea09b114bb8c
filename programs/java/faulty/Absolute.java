package faulty;

/** The absolute value of the smallest number is negative, and so is the bucket. */
public class Absolute {
    public static int bucket(int hash, int[] counts) {
        if (counts.length == 0) {
            throw new IllegalArgumentException("counts");
        }
        return counts[Math.abs(hash) % counts.length]++; // fails
    }
}
