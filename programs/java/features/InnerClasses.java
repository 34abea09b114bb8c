package features;

/** Inner, local and anonymous classes: the outer object, captured values, private members of each other. */
public final class InnerClasses {
    private int value;
    private int created;

    private InnerClasses(int value) {
        this.value = value;
    }

    private final class Counter {
        private int count;
        private final int id = ++created;

        int step() {
            count += value;
            value++;
            return count * 10 + id;
        }

        private final class Deep {
            int sum() {
                return value + count + InnerClasses.this.created + Counter.this.id;
            }
        }
    }

    static class Nested {
        private int secret = 7;

        private int hidden(int a) {
            return a + secret;
        }
    }

    abstract static class Template {
        int run(int a) {
            return before(a) * 100 + after(a);
        }

        abstract int before(int a);

        int after(int a) {
            return a;
        }
    }

    static class Parent {
        int value = 1;

        class Child {
            int get() {
                return value;
            }
        }
    }

    static final class Heir extends Parent {
        int value = 2;

        final class Grandchild extends Child {
            int both() {
                return get() * 10 + value;
            }
        }
    }

    public static int outerState(int a) {
        InnerClasses outer = new InnerClasses(a);
        Counter first = outer.new Counter();
        Counter second = outer.new Counter();
        return first.step() + second.step() * 3 + first.step() * 5 + outer.value;
    }

    public static int deep(int a) {
        InnerClasses outer = new InnerClasses(a);
        Counter counter = outer.new Counter();
        Counter.Deep deep = counter.new Deep();
        counter.step();
        return deep.sum();
    }

    /** The outer object is checked. */
    public static int outerIsNull(boolean isNull) {
        InnerClasses outer = isNull ? null : new InnerClasses(1);
        return outer.new Counter().step();
    }

    public static int privateMembers(int a) {
        Nested nested = new Nested();
        nested.secret += a;
        return nested.hidden(1);
    }

    public static int anonymous(int a, int b) {
        Template template = new Template() {
            private final int offset = b;

            @Override
            int before(int x) {
                return x + a + offset;
            }
        };
        return template.run(5);
    }

    public static int anonymousWithConstructor(int a) {
        Nested nested = new Nested() {
            private final int more = a * 2;

            @Override
            public int hashCode() {
                return more;
            }
        };
        return nested.hashCode();
    }

    public static int local(int a, int b) {
        int captured = a * 2;

        class Local {
            private final int own;

            Local(int own) {
                this.own = own;
            }

            int combine() {
                return captured * own + b;
            }

            Local next() {
                return new Local(own + 1);
            }
        }

        return new Local(1).next().next().combine();
    }

    public static int hiddenFields(int a) {
        Heir heir = new Heir();
        heir.value += a;
        return heir.new Grandchild().both();
    }

    public static String iterator(int n) {
        Iterable<Integer> range = () -> new java.util.Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < (n & 7);
            }

            @Override
            public Integer next() {
                return next++ * next;
            }
        };
        String text = "";
        for (int i : range) {
            text += i + " ";
        }
        return text;
    }

    public static int initialisers(int a) {
        return new Object() {
            int x = a;
            int y;

            {
                y = x * 2;
                x++;
            }

            int z = x + y;
        }.z;
    }
}
