package everyday;

/** A range of numbers, as a record. */
public record Range(int low, int high) {
    boolean contains(int number) {
        return low <= number && number < high;
    }

    static Range join(Range a, Range b) {
        if (a.high < b.low) {
            throw new IllegalArgumentException("the ranges do not meet");
        }
        return new Range(a.low, Math.max(a.high, b.high));
    }
}
