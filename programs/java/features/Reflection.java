package features;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Classes and members by their names. */
public final class Reflection {
    private Reflection() {
    }

    public static class Point {
        public static int made;
        public int x;
        protected final long y;
        public double scale = 2.5;

        public Point(int x, long y) {
            if (x < 0) throw new IllegalStateException("negative");
            this.x = x;
            this.y = y;
            made++;
        }

        public Point() {
            this(1, 2);
        }

        public long sum(int more) {
            return x + y + more;
        }

        public static String join(String a, char c, boolean b) {
            return a + c + b;
        }

        private int secret() {
            return x * 2;
        }
    }

    public static String construct(int x, long y) throws ReflectiveOperationException {
        Constructor<Point> constructor = Point.class.getConstructor(int.class, long.class);
        try {
            Point point = constructor.newInstance(x, y);
            return point.x + " " + point.y;
        } catch (InvocationTargetException e) {
            return e.getCause().getClass().getName() + " " + e.getCause().getMessage();
        }
    }

    public static long invoke(int x, int more) throws ReflectiveOperationException {
        Method sum = Point.class.getMethod("sum", int.class);
        return (Long) sum.invoke(new Point(x & 1023, 5), more);
    }

    public static String invokeStatic(String text) throws ReflectiveOperationException {
        return (String) Point.class.getMethod("join", String.class, char.class, boolean.class).invoke(null, text, 'c', true);
    }

    public static int invokePrivate(int x) throws ReflectiveOperationException {
        Method secret = Point.class.getDeclaredMethod("secret");
        secret.setAccessible(true);
        return (Integer) secret.invoke(new Point(x & 7, 1));
    }

    public static String wrongArguments(int which) throws ReflectiveOperationException {
        Method sum = Point.class.getMethod("sum", int.class);
        try {
            switch (which & 3) {
                case 0: return "" + sum.invoke(new Point(), 1L);
                case 1: return "" + sum.invoke(new Point());
                case 2: return "" + sum.invoke("text", 1);
                default: return "" + sum.invoke(new Point(), (byte) 3);
            }
        } catch (IllegalArgumentException e) {
            return "illegal";
        }
    }

    public static String fields(int x, double scale) throws ReflectiveOperationException {
        Point point = new Point(3, 4);
        Field field = Point.class.getField("x");
        field.setInt(point, x);
        Field number = Point.class.getField("scale");
        number.setDouble(point, scale);
        Field made = Point.class.getField("made");
        made.set(null, 40);
        new Point();
        return field.get(point) + " " + number.getDouble(point) + " " + made.getInt(null) + " " + Modifier.toString(field.getModifiers());
    }

    public static String byName(String name) {
        try {
            return Class.forName("java.util." + name).getSimpleName();
        } catch (ClassNotFoundException e) {
            return e.toString();
        }
    }

    public static String classes() throws ClassNotFoundException {
        Class<?> array = Class.forName("[Ljava.lang.String;");
        Class<?> inner = Class.forName("features.Reflection$Point");
        return array + " " + inner.getSimpleName() + " " + Modifier.toString(inner.getModifiers()) + " " + inner.getDeclaringClass().getSimpleName()
            + " " + Modifier.toString(int[].class.getModifiers()) + " " + java.util.ArrayList.class.getInterfaces().length;
    }

    public static String missing() {
        try {
            return Point.class.getMethod("nothing").getName();
        } catch (NoSuchMethodException e) {
            return e.getClass().getName();
        }
    }
}
