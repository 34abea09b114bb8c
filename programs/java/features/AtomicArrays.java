package features;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Arrays whose elements are accessed through handles, at any index. */
public final class AtomicArrays {
    private AtomicArrays() {
    }

    public static int setAndGet(int i, int value) {
        AtomicIntegerArray array = new AtomicIntegerArray(3);
        array.set(1, 7);
        array.set(i, value);
        return array.get(1) == 7 ? 1 : 2;
    }

    public static int exchangeInts(int i, int value) {
        AtomicIntegerArray array = new AtomicIntegerArray(new int[] {0, 0, 5});
        if (array.compareAndSet(i, 0, value)) {
            return array.get(0) == value ? 1 : 2;
        }
        return array.getAndIncrement(i) == 5 && array.get(2) == 6 ? 3 : 4;
    }

    public static int exchangeLongs(int i, long value) {
        AtomicLongArray array = new AtomicLongArray(2);
        array.getAndSet(1, 8L);
        if (array.compareAndExchange(i, value, 3L) == value) {
            return array.get(0) == 3L ? 1 : 2;
        }
        return array.addAndGet(i, 2L) == 10L ? 3 : 4;
    }

    public static int setReference(int i, Object o) {
        AtomicReferenceArray<Object> array = new AtomicReferenceArray<>(3);
        array.set(i, o);
        if (array.get(1) == o) {
            return 1;
        }
        if (array.compareAndSet(i, o, array)) {
            return array.get(2) == array ? 2 : 3;
        }
        return 4;
    }

    public static int exchangeReferences(int i, int j, Object o, Object p) {
        AtomicReferenceArray<Object> array = new AtomicReferenceArray<>(2);
        array.lazySet(i, o);
        if (!array.weakCompareAndSetVolatile(j, p, array)) {
            return 1;
        }
        return array.getAndSet(0, o) == array ? 2 : array.get(1) == array ? 3 : 4;
    }
}
