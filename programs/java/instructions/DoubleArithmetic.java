package instructions;

/** dadd, dsub, dmul, ddiv, drem, dneg, dcmpl, dcmpg and the constants dconst_0 and dconst_1; nothing throws. */
public final class DoubleArithmetic {
    private DoubleArithmetic() {
    }

    public static double add(double a, double b) {
        return a + b;
    }

    public static double subtract(double a, double b) {
        return a - b;
    }

    public static double multiply(double a, double b) {
        return a * b;
    }

    public static double divide(double a, double b) {
        return a / b;
    }

    /** Truncates, unlike the remainder of IEEE 754. */
    public static double remainder(double a, double b) {
        return a % b;
    }

    /** Changes the sign of zeros too, unlike a subtraction from zero. */
    public static double negate(double a) {
        return -a;
    }

    public static double fromZero(double a) {
        return 0.0 - a;
    }

    public static double constants(double a) {
        return ((a + 0.0) * 1.0 - 2.0) / 3.5 + 1e30;
    }

    public static double increments(double a) {
        double x = a;
        x++;
        --x;
        x += 0.1;
        x *= 3;
        return x++ - --x;
    }

    /** All comparisons with NaN are false, except unequal. */
    public static String relations(double a, double b) {
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
    public static int negatedRelations(double a, double b) {
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

    public static boolean isNaN(double a) {
        return a != a;
    }

    public static boolean isInfinite(double a) {
        return a - a != 0 && a == a;
    }

    public static boolean isNegativeZero(double a) {
        return a == 0 && 1 / a < 0;
    }

    public static double fusedByHand(double a, double b, double c) {
        return a * b + c;
    }

    /** Rounding makes addition not associative. */
    public static boolean associates(double a, double b, double c) {
        return (a + b) + c == a + (b + c);
    }

    public static double squareRoot(double a) {
        double x = a;
        for (int i = 0; i < 6; i++) {
            x = (x + a / x) / 2;
        }
        return x;
    }

    public static double smaller(double a, double b) {
        return Math.min(a, b);
    }

    public static double larger(double a, double b) {
        return Math.max(a, b);
    }

    public static double magnitude(double a) {
        return Math.abs(a);
    }
}
