package features;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Objects whose classes make handles of their fields. */
public final class AtomicFields {
    private AtomicFields() {
    }

    public static boolean flag(boolean first, boolean second) {
        AtomicBoolean flag = new AtomicBoolean(first);
        if (flag.get()) {
            flag.set(second);
        }
        return flag.get();
    }

    public static int reference(Object o, Object p) {
        AtomicReference<Object> reference = new AtomicReference<>(o);
        if (reference.get() == p) {
            reference.set(null);
        }
        return reference.get() == null ? 1 : 2;
    }
}
