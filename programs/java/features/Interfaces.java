package features;

/** Default, static and private methods of interfaces, several inheritance, sealed hierarchies. */
public final class Interfaces {
    private Interfaces() {
    }

    interface Greeter {
        String name();

        default String greet() {
            return prefix() + name();
        }

        private String prefix() {
            return "hello ";
        }

        static Greeter of(String name) {
            return () -> name;
        }
    }

    interface Polite extends Greeter {
        @Override
        default String greet() {
            return "dear " + Greeter.super.greet();
        }
    }

    interface Short {
        default String greet() {
            return "hi";
        }
    }

    record Person(String name) implements Polite { }

    record Child(String name) implements Polite, Short {
        @Override
        public String greet() {
            return Polite.super.greet() + Short.super.greet();
        }
    }

    /** What a class has is stronger than a default. */
    static class Silent {
        public String greet() {
            return "";
        }
    }

    static final class Mute extends Silent implements Short { }

    sealed interface Shape permits Circle, Square, Polygon { }

    record Circle(int radius) implements Shape { }

    record Square(int side) implements Shape { }

    abstract static sealed class Polygon implements Shape permits Triangle, Hexagon {
        abstract int corners();
    }

    static final class Triangle extends Polygon {
        @Override
        int corners() {
            return 3;
        }
    }

    static non-sealed class Hexagon extends Polygon {
        @Override
        int corners() {
            return 6;
        }
    }

    private static Shape shape(int which, int size) {
        return switch (which & 3) {
            case 0 -> new Circle(size);
            case 1 -> new Square(size);
            case 2 -> new Triangle();
            default -> new Hexagon() {
                @Override
                int corners() {
                    return super.corners() + size;
                }
            };
        };
    }

    public static String defaults(String name) {
        return new Person(name).greet();
    }

    public static String statics(String name) {
        return Greeter.of(name).greet();
    }

    public static String diamond(String name) {
        return new Child(name).greet();
    }

    public static String classWins() {
        Short s = new Mute();
        return s.greet();
    }

    public static String dispatch(int which, String name) {
        Object o = which == 0 ? new Person(name) : which == 1 ? new Child(name) : new Mute();
        String text = o instanceof Greeter g ? g.greet() : "none";
        return o instanceof Short s ? text + s.greet() : text;
    }

    public static int sealed(int which, int size) {
        Shape shape = shape(which, size);
        if (shape instanceof Circle c) {
            return 3 * c.radius() * c.radius();
        } else if (shape instanceof Square s) {
            return s.side() * s.side();
        } else {
            return ((Polygon) shape).corners();
        }
    }
}
