package lazuli.judge;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/** Fields as the machine has them: private, final, of records. */
final class Memory {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    static final Class<?>[] PRIMITIVES = {
        boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class, double.class, void.class
    };

    private Memory() {}

    /** May see everything. */
    static final MethodHandles.Lookup LOOKUP = lookup();

    private static MethodHandles.Lookup lookup() {
        try {
            Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
            return (MethodHandles.Lookup) UNSAFE.getReference(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
        } catch (NoSuchFieldException missing) {
            throw new IllegalStateException(missing);
        }
    }

    static Object allocate(Class<?> type) throws InstantiationException {
        return UNSAFE.allocateInstance(type);
    }

    static long offset(Field field) {
        return UNSAFE.objectFieldOffset(field);
    }

    /** A value of a primitive type by its bits. */
    static long bits(Object object, long offset, Class<?> type) {
        if (type == int.class) return UNSAFE.getInt(object, offset);
        if (type == long.class) return UNSAFE.getLong(object, offset);
        if (type == boolean.class) return UNSAFE.getBoolean(object, offset) ? 1 : 0;
        if (type == byte.class) return UNSAFE.getByte(object, offset);
        if (type == char.class) return UNSAFE.getChar(object, offset);
        if (type == short.class) return UNSAFE.getShort(object, offset);
        if (type == float.class) return Float.floatToIntBits(UNSAFE.getFloat(object, offset)) & 0xffffffffL;
        return Double.doubleToLongBits(UNSAFE.getDouble(object, offset));
    }

    static void putBits(Object object, long offset, Class<?> type, long bits) {
        if (type == int.class) UNSAFE.putInt(object, offset, (int) bits);
        else if (type == long.class) UNSAFE.putLong(object, offset, bits);
        else if (type == boolean.class) UNSAFE.putBoolean(object, offset, bits != 0);
        else if (type == byte.class) UNSAFE.putByte(object, offset, (byte) bits);
        else if (type == char.class) UNSAFE.putChar(object, offset, (char) bits);
        else if (type == short.class) UNSAFE.putShort(object, offset, (short) bits);
        else if (type == float.class) UNSAFE.putFloat(object, offset, Float.intBitsToFloat((int) bits));
        else UNSAFE.putDouble(object, offset, Double.longBitsToDouble(bits));
    }

    static Object reference(Object object, long offset) {
        return UNSAFE.getReference(object, offset);
    }

    static void putReference(Object object, long offset, Object value) {
        UNSAFE.putReference(object, offset, value);
    }

    static Object getStatic(Field field) {
        UNSAFE.ensureClassInitialized(field.getDeclaringClass());
        return UNSAFE.getReference(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
    }

    static void putStatic(Field field, long bits, Object value) {
        UNSAFE.ensureClassInitialized(field.getDeclaringClass());
        Object base = UNSAFE.staticFieldBase(field);
        long offset = UNSAFE.staticFieldOffset(field);
        if (field.getType().isPrimitive()) putBits(base, offset, field.getType(), bits);
        else putReference(base, offset, value);
    }

    static void putStatic(Class<?> type, String name, Object value) {
        try {
            putStatic(type.getDeclaredField(name), 0, value);
        } catch (NoSuchFieldException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** A value of a primitive type as an object. */
    static Object boxed(char descriptor, long bits) {
        switch (descriptor) {
            case 'Z': return bits != 0;
            case 'B': return (byte) bits;
            case 'C': return (char) bits;
            case 'S': return (short) bits;
            case 'I': return (int) bits;
            case 'J': return bits;
            case 'F': return Float.intBitsToFloat((int) bits);
            case 'D': return Double.longBitsToDouble(bits);
            default: throw new IllegalArgumentException("no primitive type: " + descriptor);
        }
    }

    /** Its bits again, or null if it is no box. */
    static Long unboxed(Object box) {
        if (box instanceof Integer number) return number.longValue();
        if (box instanceof Boolean truth) return truth ? 1L : 0L;
        if (box instanceof Long number) return number;
        if (box instanceof Character unit) return (long) unit;
        if (box instanceof Byte number) return number.longValue();
        if (box instanceof Short number) return number.longValue();
        if (box instanceof Float number) return Float.floatToIntBits(number) & 0xffffffffL;
        if (box instanceof Double number) return Double.doubleToLongBits(number);
        return null;
    }
}
