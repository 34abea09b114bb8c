package everyday;

/** The middle of three numbers in an array. */
public class Median {
    static int median(int[] values) {
        if (values.length != 3) {
            throw new IllegalArgumentException("three numbers are wanted");
        }
        if (values[0] > values[1]) {
            int smaller = values[1];
            values[1] = values[0];
            values[0] = smaller;
        }
        return Math.max(values[0], values[2]);
    }
}
