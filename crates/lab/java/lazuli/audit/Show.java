package lazuli.audit;

import java.util.Iterator;
import java.util.stream.BaseStream;

/** What a call gave, as text: the same text wherever it is executed, but for the hash codes of objects that define none. */
public final class Show {
    /** So much is seen of what may have no end. */
    private static final int MOST = 20;

    public static String show(boolean value) {
        return String.valueOf(value);
    }

    public static String show(char value) {
        return "char " + (int) value;
    }

    public static String show(int value) {
        return String.valueOf(value);
    }

    public static String show(long value) {
        return value + "L";
    }

    public static String show(float value) {
        return "f:" + Integer.toHexString(Float.floatToIntBits(value));
    }

    public static String show(double value) {
        return "d:" + Long.toHexString(Double.doubleToLongBits(value));
    }

    public static String show(Object value) {
        if (value == null) return "null";
        if (value instanceof String) return "\"" + value + "\"";
        if (value instanceof Character) return show(((Character) value).charValue());
        if (value instanceof Long) return show(((Long) value).longValue());
        if (value instanceof Float) return show(((Float) value).floatValue());
        if (value instanceof Double) return show(((Double) value).doubleValue());
        if (value instanceof Class) return "class " + ((Class<?>) value).getName();
        if (value instanceof Throwable) return value.getClass().getName() + " " + ((Throwable) value).getMessage();
        if (value instanceof BaseStream) return elements(((BaseStream<?, ?>) value).iterator());
        if (value instanceof Iterator) return elements((Iterator<?>) value);
        if (value instanceof Object[]) return array((Object[]) value);
        if (value instanceof boolean[] || value instanceof byte[] || value instanceof short[] || value instanceof char[]
            || value instanceof int[] || value instanceof long[] || value instanceof float[] || value instanceof double[])
            return primitives(value);
        return value.toString();
    }

    private static String elements(Iterator<?> iterator) {
        StringBuilder text = new StringBuilder("<");
        for (int i = 0; i < MOST && iterator.hasNext(); i++) text.append(show(iterator.next())).append(' ');
        return text.append('>').toString();
    }

    private static String array(Object[] values) {
        StringBuilder text = new StringBuilder("[");
        for (Object value : values) text.append(show(value)).append(' ');
        return text.append(']').toString();
    }

    private static String primitives(Object array) {
        StringBuilder text = new StringBuilder("[");
        if (array instanceof boolean[]) for (boolean value : (boolean[]) array) text.append(show(value)).append(' ');
        if (array instanceof byte[]) for (byte value : (byte[]) array) text.append(show(value)).append(' ');
        if (array instanceof short[]) for (short value : (short[]) array) text.append(show(value)).append(' ');
        if (array instanceof char[]) for (char value : (char[]) array) text.append(show(value)).append(' ');
        if (array instanceof int[]) for (int value : (int[]) array) text.append(show(value)).append(' ');
        if (array instanceof long[]) for (long value : (long[]) array) text.append(show(value)).append(' ');
        if (array instanceof float[]) for (float value : (float[]) array) text.append(show(value)).append(' ');
        if (array instanceof double[]) for (double value : (double[]) array) text.append(show(value)).append(' ');
        return text.append(']').toString();
    }
}
