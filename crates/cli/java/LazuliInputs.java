import java.lang.reflect.Field;

/** Makes objects with the fields that a test needs and that no public call gives them. */
final class LazuliInputs {
    private LazuliInputs() { }

    /** An object of a class that none of its constructors has seen. */
    static <T> T make(Class<T> type) {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field field = unsafe.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return type.cast(unsafe.getMethod("allocateInstance", Class.class).invoke(field.get(null), type));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same, of a class that cannot be named here. */
    static Object make(String type) {
        try {
            return make(Class.forName(type));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sets a field that its class, or one above it, declares. */
    static void set(Object object, String name, Object value) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                field.set(object, value);
                return;
            } catch (NoSuchFieldException e) {
                // It is declared above.
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new IllegalStateException("there is no field " + name);
    }
}
