package faulty;

/** Binary search whose upper end is one too high. */
public class Search {
    public static int find(int[] sorted, int key) {
        int low = 0;
        int high = sorted.length;
        while (low <= high) {
            int middle = low + (high - low) / 2;
            if (sorted[middle] == key) { // fails
                return middle;
            }
            if (sorted[middle] < key) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
