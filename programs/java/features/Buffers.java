package features;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Numbers in arrays of bytes, and variables by handles. */
public final class Buffers {
    private Buffers() {
    }

    public static long putAndGet(int a, long b, short c) {
        ByteBuffer buffer = ByteBuffer.allocate(16);
        buffer.putInt(a).putLong(b).putShort(c).flip();
        return buffer.getLong() ^ buffer.getInt() ^ buffer.getShort();
    }

    public static int littleEndian(int a) {
        ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(1, a);
        return buffer.get(1) * 31 + buffer.get(4);
    }

    public static double doubles(double a) {
        ByteBuffer buffer = ByteBuffer.allocate(8);
        buffer.putDouble(a);
        return buffer.getDouble(0);
    }

    public static String handles(boolean flag, String text) {
        AtomicBoolean atomic = new AtomicBoolean(flag);
        boolean changed = atomic.weakCompareAndSetPlain(true, false);
        AtomicReference<String> reference = new AtomicReference<>("old");
        reference.setRelease(text);
        String before = reference.getAndSet("new");
        LongAdder adder = new LongAdder();
        adder.add(4);
        adder.increment();
        return changed + before + reference.getPlain() + adder.sumThenReset() + adder;
    }
}
