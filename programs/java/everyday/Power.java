package everyday;

/** Powers by recursion. */
public class Power {
    static int power(int base, int exponent) {
        if (exponent == 0) {
            return 1;
        }
        int half = power(base, exponent / 2);
        return exponent % 2 == 0 ? half * half : half * half * base;
    }
}
