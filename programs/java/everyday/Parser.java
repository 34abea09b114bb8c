package everyday;

/** What is caught, and what is not. */
public class Parser {
    static int parse(int[] digits, int at) {
        try {
            int digit = digits[at];
            if (digit < 0 || digit > 9) {
                throw new IllegalArgumentException("not a digit");
            }
            return 10 / digit;
        } catch (ArrayIndexOutOfBoundsException e) {
            return -1;
        } finally {
            System.out.println("parsed");
        }
    }
}
