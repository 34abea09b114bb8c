package instructions;

/** if_icmp…, if…, if_acmp…, ifnull, and conditions as values. */
public final class Comparisons {
    private Comparisons() {
    }

    public static String relations(int a, int b) {
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

    public static int againstZero(int a) {
        int result = 0;
        if (a < 0) {
            result |= 1;
        }
        if (a <= 0) {
            result |= 2;
        }
        if (a == 0) {
            result |= 4;
        }
        if (a != 0) {
            result |= 8;
        }
        if (a >= 0) {
            result |= 16;
        }
        if (a > 0) {
            result |= 32;
        }
        return result;
    }

    public static boolean lessAsValue(int a, int b) {
        return a < b;
    }

    public static boolean unsignedLess(int a, int b) {
        return a + Integer.MIN_VALUE < b + Integer.MIN_VALUE;
    }

    public static boolean shortCircuit(int a, int b) {
        return b != 0 && a / b > 1 || a == 7;
    }

    /** Both sides are evaluated: it throws where b is 0. */
    public static boolean eager(int a, int b) {
        return b != 0 & a / b > 1 | a == 7;
    }

    public static boolean negations(boolean a, boolean b) {
        return !(a && !b) == (!a || b);
    }

    public static int nested(int a, int b, int c) {
        return a < b ? b < c ? 1 : a < c ? 2 : 3 : a < c ? 4 : b < c ? 5 : 6;
    }

    public static int median(int a, int b, int c) {
        if (a > b) {
            int swap = a;
            a = b;
            b = swap;
        }
        if (b > c) {
            b = c;
        }
        return a > b ? a : b;
    }

    public static boolean sameReference(Object a, Object b) {
        return a == b;
    }

    public static int nulls(Object a, Object b) {
        int result = 0;
        if (a == null) {
            result |= 1;
        }
        if (b != null) {
            result |= 2;
        }
        if (a != b) {
            result |= 4;
        }
        return result;
    }

    public static int loops(int a) {
        int count = 0;
        outer:
        for (int i = 0; i < 10; i++) {
            int j = 0;
            do {
                if (j == (a & 7)) {
                    continue outer;
                }
                if (i + j > (a >> 3 & 15)) {
                    break outer;
                }
                count++;
            } while (++j < 5);
        }
        return count;
    }

    public static int emptyBodies(int a, Object b) {
        if (a == 1) {
        }
        if (b == null) {
        } else {
        }
        if (a > 1 && b != null) {
        }
        return a;
    }

    public static char chars(char a, char b) {
        return a < b ? b : a;
    }

    public static boolean booleanEquality(boolean a, boolean b) {
        return a == b;
    }
}
