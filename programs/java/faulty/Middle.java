package faulty;

/** The mean of two numbers that are not negative overflows. */
public class Middle {
    public static int middle(int low, int high) {
        if (low < 0 || high < low) {
            throw new IllegalArgumentException("low, high");
        }
        int middle = (low + high) / 2;
        assert low <= middle && middle <= high; // fails
        return middle;
    }
}
