package features;

import java.util.EnumMap;

/** Enums: values, valueOf, switch, fields, abstract methods, static state of the class itself. */
public final class Enums {
    private Enums() {
    }

    enum Day {
        MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY;

        boolean weekend() {
            return this == SATURDAY || this == SUNDAY;
        }

        Day next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    enum Operation {
        ADD("+") {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        SUBTRACT("-") {
            @Override
            int apply(int a, int b) {
                return a - b;
            }
        },
        DIVIDE("/") {
            @Override
            int apply(int a, int b) {
                return a / b;
            }

            @Override
            boolean partial() {
                return true;
            }
        };

        final String symbol;

        Operation(String symbol) {
            this.symbol = symbol;
        }

        abstract int apply(int a, int b);

        boolean partial() {
            return false;
        }

        static Operation of(String symbol) {
            for (Operation operation : values()) {
                if (operation.symbol.equals(symbol)) {
                    return operation;
                }
            }
            throw new IllegalArgumentException("no operation " + symbol);
        }
    }

    interface Priced {
        int price();
    }

    enum Coin implements Priced {
        CENT(1), NICKEL(5), DIME(10);

        private static int total;
        private final int value;

        static {
            for (Coin coin : values()) {
                total += coin.value;
            }
        }

        Coin(int value) {
            this.value = value;
        }

        @Override
        public int price() {
            return value * 100;
        }
    }

    private static Day day(int a) {
        return Day.values()[Math.floorMod(a, 7)];
    }

    public static int ordinals(int a) {
        return day(a).ordinal() * 10 + day(a).next().ordinal();
    }

    public static String names(int a) {
        Day day = day(a);
        return day.name() + day.weekend() + day.toString().length();
    }

    public static int valueOf(String name) {
        return Day.valueOf(name).ordinal();
    }

    public static String valueOfMissing(String name) {
        try {
            return Day.valueOf(name).name();
        } catch (IllegalArgumentException | NullPointerException e) {
            return e.getMessage();
        }
    }

    public static int switched(int a) {
        switch (day(a)) {
            case MONDAY:
            case TUESDAY:
                return 1;
            case SUNDAY:
                return 2;
            default:
                return 3;
        }
    }

    public static String switchExpression(int a) {
        return switch (day(a)) {
            case MONDAY, FRIDAY, SUNDAY -> "6";
            case TUESDAY -> "7";
            case THURSDAY, SATURDAY -> "8";
            case WEDNESDAY -> "9";
        };
    }

    public static int abstractMethods(int which, int a, int b) {
        Operation operation = Operation.values()[which];
        return operation.partial() && b == 0 ? -1 : operation.apply(a, b);
    }

    public static int lookedUp(String symbol, int a, int b) {
        return Operation.of(symbol).apply(a, b);
    }

    public static boolean classes(int which) {
        Operation operation = Operation.values()[which % 3 < 0 ? 0 : which % 3];
        return operation.getClass() != Operation.class && operation.getDeclaringClass() == Operation.class;
    }

    public static int compared(int a, int b) {
        return Integer.signum(day(a).compareTo(day(b))) + (day(a) == day(b) ? 10 : 0) + (day(a).equals(day(b)) ? 100 : 0);
    }

    public static int interfaces(int which) {
        Priced priced = Coin.values()[which % 3 < 0 ? 0 : which % 3];
        return priced.price() + Coin.total;
    }

    public static boolean valuesAreCopied() {
        Day[] days = Day.values();
        days[0] = null;
        return Day.values()[0] == Day.MONDAY && Day.values() != Day.values();
    }

    public static String enumMap(int a, int b) {
        EnumMap<Day, Integer> map = new EnumMap<>(Day.class);
        map.put(day(a), a);
        map.put(day(b), b);
        map.put(Day.MONDAY, 0);
        return map.toString();
    }
}
