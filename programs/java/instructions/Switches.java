package instructions;

/** tableswitch and lookupswitch: dense, sparse, at the limits of int, on strings and enums, with and without falling through. */
public final class Switches {
    private Switches() {
    }

    enum Colour { RED, GREEN, BLUE }

    interface Shape { }

    record Circle(int radius) implements Shape { }

    record Rectangle(int width, int height) implements Shape { }

    public static int table(int a) {
        switch (a) {
            case -1: return 10;
            case 0: return 20;
            case 1: return 30;
            case 2: return 40;
            case 4: return 50;
            default: return 60;
        }
    }

    public static int lookup(int a) {
        switch (a) {
            case -1_000_000: return 1;
            case -1: return 2;
            case 128: return 3;
            case 1_000_000: return 4;
            default: return 5;
        }
    }

    public static int limits(int a) {
        switch (a) {
            case Integer.MIN_VALUE: return 1;
            case Integer.MIN_VALUE + 1: return 2;
            case Integer.MAX_VALUE: return 3;
            case 0: return 4;
            default: return 5;
        }
    }

    public static int tableAtTheTop(int a) {
        switch (a) {
            case Integer.MAX_VALUE - 2: return 1;
            case Integer.MAX_VALUE - 1: return 2;
            case Integer.MAX_VALUE: return 3;
            default: return 4;
        }
    }

    @SuppressWarnings("fallthrough")
    public static String fallingThrough(int a) {
        String result = "";
        switch (a & 7) {
            case 0:
                result += "0";
            case 1:
            case 2:
                result += "2";
                break;
            default:
                result += "d";
            case 5:
                result += "5";
        }
        return result;
    }

    public static int noDefault(int a) {
        int result = 0;
        switch (a) {
            case 1:
                result = 5;
                break;
            case 2:
                result = 7;
                break;
        }
        return result;
    }

    public static int onlyDefault(int a) {
        switch (a) {
            default:
                return a + 1;
        }
    }

    public static int characters(char c) {
        switch (c) {
            case 'a':
            case 'e':
            case 'i':
            case 'o':
            case 'u':
                return 1;
            case '0':
                return 2;
            case '\uffff':
                return 3;
            default:
                return 0;
        }
    }

    public static int bytes(byte b) {
        switch (b) {
            case -128: return 1;
            case 0: return 2;
            case 127: return 3;
            default: return 4;
        }
    }

    /** The second and the third one have the same hash code. Null throws. */
    public static int strings(String s) {
        switch (s) {
            case "": return 1;
            case "Aa": return 2;
            case "BB": return 3;
            case "abc": return 4;
            default: return 5;
        }
    }

    public static int enums(int a) {
        Colour colour = a < 0 ? null : Colour.values()[a % 3];
        switch (colour) {
            case RED: return 1;
            case BLUE: return 2;
            default: return 3;
        }
    }

    public static String expression(int a) {
        return switch (a) {
            case 1, 3, 5 -> "odd";
            case 2, 4 -> {
                String text = "even";
                yield text + a;
            }
            default -> a < 0 ? "negative" : "large";
        };
    }

    public static int exhaustive(int a) {
        Colour colour = Colour.values()[a & 1];
        return switch (colour) {
            case RED -> 1;
            case GREEN -> 2;
            case BLUE -> 3;
        };
    }

    public static int patterns(int which, int a, int b) {
        Shape shape = which == 0 ? new Circle(a) : which == 1 ? new Rectangle(a, b) : null;
        if (shape instanceof Circle circle && circle.radius() > 0) {
            return circle.radius() * 3;
        } else if (shape instanceof Rectangle rectangle) {
            return rectangle.width() * rectangle.height();
        }
        return -1;
    }

    public static int nested(int a, int b) {
        int result = 0;
        for (int i = 0; i < 4; i++) {
            switch (a + i) {
                case 0:
                    continue;
                case 3:
                    return result;
                default:
                    switch (b) {
                        case 1:
                            result += 1;
                            break;
                        case 1000:
                            result += 1000;
                            break;
                        default:
                            result += 2;
                    }
            }
            result *= 3;
        }
        return result;
    }

    /** A machine whose instructions are a string's characters. */
    public static int interpreter(String program, int input) {
        int accumulator = input;
        for (int i = 0; i < program.length(); i++) {
            switch (program.charAt(i)) {
                case '+': accumulator++; break;
                case '-': accumulator--; break;
                case '*': accumulator *= 2; break;
                case '/': accumulator /= 2; break;
                case '!': accumulator = -accumulator; break;
                case '0': accumulator = 0; break;
                default: return -1;
            }
        }
        return accumulator;
    }
}
