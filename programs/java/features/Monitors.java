package features;

import java.util.zip.Adler32;
import java.util.zip.CRC32;

/** Monitors of one thread, and sums that natives compute. */
public final class Monitors {
    private Monitors() {
    }

    public static String notifyOutside(boolean all) {
        Object lock = new Object();
        try {
            if (all) lock.notifyAll();
            else lock.notify();
            return "woke";
        } catch (IllegalMonitorStateException e) {
            return "illegal";
        }
    }

    public static String notifyInside(boolean other) {
        Object lock = new Object();
        Object another = new Object();
        synchronized (lock) {
            synchronized (lock) {
                another.hashCode();
            }
            try {
                (other ? another : lock).notify();
                return "woke" + Thread.holdsLock(lock) + Thread.holdsLock(another);
            } catch (IllegalMonitorStateException e) {
                return "illegal";
            }
        }
    }

    private synchronized boolean own(Object object) {
        notifyAll();
        return Thread.holdsLock(object);
    }

    private static synchronized boolean ofTheClass() {
        Monitors.class.notify();
        return Thread.holdsLock(Monitors.class);
    }

    public static boolean methods() {
        Monitors monitors = new Monitors();
        return monitors.own(monitors) && ofTheClass() && !Thread.holdsLock(monitors);
    }

    public static String afterAnException(int a) {
        Object lock = new Object();
        try {
            synchronized (lock) {
                return "" + 10 / a;
            }
        } catch (ArithmeticException e) {
            return "left " + Thread.holdsLock(lock);
        }
    }

    public static long sums(String text) {
        CRC32 crc = new CRC32();
        Adler32 adler = new Adler32();
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        crc.update(bytes, 0, bytes.length);
        crc.update(7);
        adler.update(bytes);
        adler.update(200);
        return crc.getValue() * 31 + adler.getValue();
    }

    public static String classOf(Object object) {
        Class<?> type = object.getClass();
        return type.getSimpleName() + type.isArray() + type.isInterface();
    }
}
