package instructions;

/** athrow, every exception that an instruction throws by itself, and where control goes then. */
public final class Exceptions {
    private static String log;

    private Exceptions() {
    }

    static class Node {
        int value;
        Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }

        int get() {
            return value;
        }

        private int hidden() {
            return value;
        }
    }

    interface Source {
        int get();
    }

    static class Custom extends Exception {
        private static final long serialVersionUID = 1;
        final int code;

        Custom(String message, int code) {
            super(message);
            this.code = code;
        }
    }

    static final class Special extends Custom {
        private static final long serialVersionUID = 1;

        Special(int code) {
            super("special", code);
        }
    }

    static final class Resource implements AutoCloseable {
        private final String name;
        private final boolean fails;

        Resource(String name, boolean fails) {
            this.name = name;
            this.fails = fails;
        }

        @Override
        public void close() throws Custom {
            log += "close " + name + ";";
            if (fails) {
                throw new Custom("closing " + name, 1);
            }
        }
    }

    // ---- NullPointerException, by every instruction that can throw it ----

    private static Node node(boolean isNull) {
        return isNull ? null : new Node(7, null);
    }

    public static int nullGetField(boolean isNull) {
        return node(isNull).value;
    }

    public static int nullPutField(boolean isNull, int value) {
        Node n = node(isNull);
        n.value = value;
        return n.value;
    }

    public static int nullInvokeVirtual(boolean isNull) {
        return node(isNull).get();
    }

    public static int nullInvokePrivate(boolean isNull) {
        return node(isNull).hidden();
    }

    public static int nullInvokeInterface(boolean isNull) {
        Source source = isNull ? null : () -> 3;
        return source.get();
    }

    public static int nullArrayLoad(boolean isNull, int index) {
        int[] cells = isNull ? null : new int[] {1, 2, 3};
        return cells[index];
    }

    public static int nullArrayStore(boolean isNull, int index) {
        int[] cells = isNull ? null : new int[] {1, 2, 3};
        cells[index] = 5;
        return cells[0];
    }

    public static int nullArrayLength(boolean isNull) {
        int[] cells = isNull ? null : new int[] {1, 2, 3};
        return cells.length;
    }

    public static String nullLoadsOfEveryType(int which) {
        boolean[] z = null;
        byte[] b = null;
        char[] c = null;
        short[] s = null;
        int[] i = null;
        long[] l = null;
        float[] f = null;
        double[] d = null;
        Object[] a = null;
        switch (which) {
            case 0: return "" + z[0];
            case 1: return "" + b[0];
            case 2: return "" + c[0];
            case 3: return "" + s[0];
            case 4: return "" + i[0];
            case 5: return "" + l[0];
            case 6: return "" + f[0];
            case 7: return "" + d[0];
            case 8: return "" + a[0];
            default: return "none";
        }
    }

    public static int nullThrow(boolean isNull) {
        RuntimeException e = isNull ? null : new IllegalArgumentException("not null");
        throw e;
    }

    public static int nullMonitor(boolean isNull) {
        Object o = isNull ? null : new Object();
        synchronized (o) {
            return 1;
        }
    }

    public static int nullUnboxing(boolean isNull) {
        Integer i = isNull ? null : 5;
        return i + 1;
    }

    public static int nullStringSwitch(boolean isNull) {
        String s = isNull ? null : "a";
        switch (s) {
            case "a": return 1;
            default: return 2;
        }
    }

    public static int nullDeep(int depth) {
        Node n = new Node(1, new Node(2, new Node(3, null)));
        for (int i = 0; i < depth; i++) {
            n = n.next;
        }
        return n.value;
    }

    /** The index and the value are evaluated before the array is looked at. */
    public static int nullAfterOperands(boolean isNull) {
        int[] cells = isNull ? null : new int[2];
        int[] count = {0};
        try {
            cells[count[0]++] = count[0]++;
        } catch (NullPointerException e) {
            return -count[0];
        }
        return count[0];
    }

    // ---- the others ----

    public static int indexOfEveryType(int which, int index) {
        switch (which) {
            case 0: return (new boolean[] {true}[index] ? 1 : 0);
            case 1: return new byte[] {1, 2}[index];
            case 2: return new char[] {1, 2}[index];
            case 3: return new short[] {1, 2}[index];
            case 4: return new int[] {1, 2}[index];
            case 5: return (int) new long[] {1, 2}[index];
            case 6: return (int) new float[] {1, 2}[index];
            case 7: return (int) new double[] {1, 2}[index];
            default: return new String[] {"a", "b"}[index].length();
        }
    }

    public static String sizeMessage(int length) {
        try {
            return "" + new int[3][length > 9 ? 9 : length].length;
        } catch (NegativeArraySizeException e) {
            return "negative " + e.getMessage();
        }
    }

    public static String outOfBounds(int index) {
        try {
            int[] cells = {1, 2, 3};
            cells[index]++;
            return "fine";
        } catch (ArrayIndexOutOfBoundsException e) {
            return e.getMessage();
        }
    }

    public static int negativeSize(int length) {
        return new int[length > 100 ? 100 : length].length;
    }

    public static int negativeSizeOfReferences(int length) {
        return new String[length > 100 ? 100 : length].length;
    }

    public static int negativeSizeOfRows(int rows, int columns) {
        return new int[rows > 9 ? 9 : rows][columns > 9 ? 9 : columns].length;
    }

    /** An array of strings is an array of objects, until something else is stored. */
    public static String arrayStore(int which) {
        Object[] cells = which < 2 ? new String[2] : which < 4 ? new Object[2] : new Integer[2];
        cells[0] = which % 2 == 0 ? (Object) "text" : (Object) 5;
        return cells[0].toString();
    }

    public static boolean arrayStoreOfNull(int which) {
        Object[] cells = which == 0 ? new String[2] : new int[2][];
        cells[1] = null;
        return cells[1] == null;
    }

    public static int arrayStoreOfRows(int which) {
        Object[] rows = new int[2][];
        rows[0] = which == 0 ? new int[3] : which == 1 ? new long[3] : new Object();
        return ((int[]) rows[0]).length;
    }

    public static int classCast(int which) {
        Object o = which == 0 ? "text" : which == 1 ? Integer.valueOf(9) : null;
        Integer i = (Integer) o;
        return i == null ? -1 : i;
    }

    public static int divideInt(int a, int b) {
        return a / b;
    }

    public static int remainderInt(int a, int b) {
        return a % b;
    }

    public static long divideLong(long a, long b) {
        return a / b;
    }

    public static long remainderLong(long a, long b) {
        return a % b;
    }

    public static double divideDouble(double a, double b) {
        return a / b + a % b;
    }

    public static String arithmeticMessage(int a) {
        try {
            return "" + 100 / a;
        } catch (ArithmeticException e) {
            return e.getMessage();
        }
    }

    public static int assertion(int a) {
        assert a >= 0 : "negative: " + a;
        assert a != 7;
        return a;
    }

    // ---- handlers ----

    private static int raise(int which) throws Custom {
        switch (which) {
            case 0: return 1;
            case 1: throw new Custom("custom", 11);
            case 2: throw new Special(22);
            case 3: throw new IllegalArgumentException("argument");
            case 4: throw new IllegalStateException("state", new RuntimeException("cause"));
            case 5: throw new Error("error");
            case 6: return 1 / (which - 6);
            default: return -1;
        }
    }

    private static int raise(int which, int[] cells) throws Custom {
        return which > 6 ? cells[which] : raise(which);
    }

    /** The first handler that fits is taken. */
    public static String firstThatFits(int which) {
        try {
            return "returned " + raise(which, new int[3]);
        } catch (Special e) {
            return "special " + e.code;
        } catch (Custom e) {
            return "custom " + e.getMessage() + e.code;
        } catch (IllegalArgumentException | IllegalStateException e) {
            return "illegal " + e.getMessage() + (e.getCause() == null ? "" : e.getCause().getMessage());
        } catch (RuntimeException e) {
            return "runtime " + e.getMessage();
        } catch (Throwable e) {
            return "other " + e.getMessage();
        }
    }

    public static String uncaught(int which) throws Custom {
        return "returned " + raise(which, new int[3]);
    }

    public static String finallyRuns(int which) {
        log = "";
        try {
            try {
                log += "try;";
                raise(which, new int[3]);
                log += "after;";
            } catch (Custom e) {
                log += "custom;";
                throw new IllegalStateException("from the handler", e);
            } finally {
                log += "finally;";
            }
            log += "end;";
        } catch (RuntimeException e) {
            log += "outer " + e.getClass().getSimpleName() + ";";
        }
        return log;
    }

    /** A return in finally swallows the exception. */
    @SuppressWarnings("finally")
    public static int finallyReturns(int which) {
        try {
            return raise(which, new int[3]);
        } catch (Custom e) {
            return 2;
        } finally {
            if (which != 4) {
                return 3;
            }
        }
    }

    @SuppressWarnings("finally")
    public static int finallyThrows(int which) {
        try {
            return raise(which, new int[3]);
        } catch (Custom e) {
            return 2;
        } finally {
            if (which == 3) {
                throw new UnsupportedOperationException("instead");
            }
        }
    }

    /** The value was computed before finally changes the local. */
    public static int finallyChangesLocal(int a) {
        int x = a;
        try {
            x++;
            return x;
        } finally {
            x += 100;
        }
    }

    @SuppressWarnings("finally")
    public static int finallyContinues(int a) {
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            try {
                if (i == a) {
                    throw new IllegalStateException();
                }
                sum += 10;
            } finally {
                sum++;
                if (i != 3) {
                    continue;
                }
            }
            sum += 1000;
        }
        return sum;
    }

    public static String nestedFinally(int which) {
        log = "";
        try {
            try {
                try {
                    raise(which, new int[3]);
                } finally {
                    log += "1;";
                    if (which == 2) {
                        log += 1 / (which - 2);
                    }
                }
            } catch (ArithmeticException e) {
                log += "arithmetic;";
            } finally {
                log += "2;";
            }
        } catch (Exception e) {
            log += e.getMessage() + ";";
        } finally {
            log += "3;";
        }
        return log;
    }

    public static String rethrown(int which) {
        try {
            return rethrow(which);
        } catch (Exception e) {
            return e.getClass().getName() + " " + e.getMessage();
        }
    }

    private static String rethrow(int which) throws Custom {
        try {
            return "" + raise(which, new int[3]);
        } catch (Exception e) {
            if (e instanceof Special) {
                throw new IllegalStateException(e.getMessage());
            }
            throw e;
        }
    }

    public static String resources(int which, boolean firstFails, boolean secondFails) {
        log = "";
        try (Resource first = new Resource("first", firstFails); Resource second = new Resource("second", secondFails)) {
            log += first.name + second.name + ";";
            raise(which, new int[3]);
        } catch (Exception e) {
            log += e.getMessage();
            for (Throwable suppressed : e.getSuppressed()) {
                log += " +" + suppressed.getMessage();
            }
        }
        return log;
    }

    public static String acrossFrames(int depth) {
        try {
            return "" + descend(depth & 15);
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    private static int descend(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("bottom");
        }
        try {
            return descend(depth - 1) + 1;
        } catch (IllegalStateException e) {
            if (depth % 4 == 0) {
                return depth;
            }
            throw new IllegalStateException(e.getMessage() + depth);
        }
    }

    public static int asControl(int limit) {
        int[] cells = {3, 1, 4, 1, 5};
        int sum = 0;
        int i = 0;
        try {
            while (true) {
                sum += cells[i++];
                if (sum > limit) {
                    throw new Custom("limit", i);
                }
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return sum;
        } catch (Custom e) {
            return -e.code;
        }
    }

    public static String toStrings(int which) {
        try {
            return "" + raise(which, new int[3]);
        } catch (Throwable e) {
            return e.toString();
        }
    }

    /** The initialiser fails once; after that the class cannot be used. */
    public static String failingInitialiser(int a) {
        String result = "";
        for (int i = 0; i < 2; i++) {
            try {
                result += Failing.value(a);
            } catch (ExceptionInInitializerError e) {
                result += "failed " + e.getCause().getMessage() + ";";
            } catch (NoClassDefFoundError e) {
                result += "unusable;";
            }
        }
        return result;
    }

    static final class Failing {
        static final int VALUE = 1 / Integer.parseInt("0");

        static int value(int a) {
            return a + VALUE;
        }
    }
}
