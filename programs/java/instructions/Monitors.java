package instructions;

/** monitorenter and monitorexit with one thread: they nest, and an exception leaves them. */
public final class Monitors {
    private static final Object LOCK = new Object();
    private static int depth;
    private int value;

    private Monitors() {
    }

    public static int block(int a) {
        int x;
        synchronized (LOCK) {
            x = a + 1;
        }
        return x;
    }

    public static int nested(int a) {
        Object other = new Object();
        synchronized (LOCK) {
            synchronized (other) {
                synchronized (LOCK) {
                    return a * 2;
                }
            }
        }
    }

    public static int onNull(boolean isNull) {
        Object lock = isNull ? null : LOCK;
        synchronized (lock) {
            return 1;
        }
    }

    public static int exceptionInside(int a) {
        try {
            synchronized (LOCK) {
                return 10 / a;
            }
        } catch (ArithmeticException e) {
            return -1;
        }
    }

    private static synchronized int staticMethod(int a) {
        depth++;
        return a > 0 ? staticMethod(a - 1) + 1 : depth;
    }

    public static int synchronizedStatic(int a) {
        depth = 0;
        return staticMethod(a & 15);
    }

    private synchronized int instanceMethod(int a) {
        value += a;
        if (a > 2) {
            throw new IllegalStateException("too large");
        }
        return value;
    }

    public static int synchronizedInstance(int a) {
        Monitors m = new Monitors();
        m.instanceMethod(1);
        return m.instanceMethod(a);
    }

    public static int returnsFromLoop(int a) {
        for (int i = 0; i < 5; i++) {
            synchronized (LOCK) {
                if (i == a) {
                    continue;
                }
                if (i > a) {
                    return i;
                }
            }
        }
        return -1;
    }
}
