package instructions;

/** fadd, fsub, fmul, fdiv, frem, fneg, fcmpl, fcmpg and the constants fconst_0 to fconst_2; nothing throws. */
public final class FloatArithmetic {
    private FloatArithmetic() {
    }

    public static float add(float a, float b) {
        return a + b;
    }

    public static float subtract(float a, float b) {
        return a - b;
    }

    public static float multiply(float a, float b) {
        return a * b;
    }

    public static float divide(float a, float b) {
        return a / b;
    }

    /** Truncates, unlike the remainder of IEEE 754. */
    public static float remainder(float a, float b) {
        return a % b;
    }

    /** Changes the sign of zeros too, unlike a subtraction from zero. */
    public static float negate(float a) {
        return -a;
    }

    public static float fromZero(float a) {
        return 0f - a;
    }

    public static float constants(float a) {
        return ((a + 0f) * 1f - 2f) / 3.5f + 1e30f;
    }

    public static float increments(float a) {
        float x = a;
        x++;
        --x;
        x += 0.1f;
        x *= 3;
        return x++ - --x;
    }

    /** All comparisons with NaN are false, except unequal. */
    public static String relations(float a, float b) {
        String result = "";
        if (a < b) {
            result += "<";
        }
        if (a <= b) {
            result += "<=";
        }
        if (a == b) {
            result += "==";
        }
        if (a != b) {
            result += "!=";
        }
        if (a >= b) {
            result += ">=";
        }
        if (a > b) {
            result += ">";
        }
        return result;
    }

    /** The negated comparisons, which javac compiles with the other treatment of NaN. */
    public static int negatedRelations(float a, float b) {
        int result = 0;
        if (!(a < b)) {
            result |= 1;
        }
        if (!(a <= b)) {
            result |= 2;
        }
        if (!(a > b)) {
            result |= 4;
        }
        if (!(a >= b)) {
            result |= 8;
        }
        return result;
    }

    public static boolean isNaN(float a) {
        return a != a;
    }

    public static boolean isInfinite(float a) {
        return a - a != 0 && a == a;
    }

    public static boolean isNegativeZero(float a) {
        return a == 0 && 1 / a < 0;
    }

    public static float fusedByHand(float a, float b, float c) {
        return a * b + c;
    }

    /** Rounding makes addition not associative. */
    public static boolean associates(float a, float b, float c) {
        return (a + b) + c == a + (b + c);
    }

    public static float squareRoot(float a) {
        float x = a;
        for (int i = 0; i < 6; i++) {
            x = (x + a / x) / 2;
        }
        return x;
    }

    public static float smaller(float a, float b) {
        return Math.min(a, b);
    }

    public static float larger(float a, float b) {
        return Math.max(a, b);
    }

    public static float magnitude(float a) {
        return Math.abs(a);
    }
}
