import java.util.*;

/** What depends on where and how the program was started: every method stops by name. */
public class Refused {
    public interface Service { }
    public static boolean origin() { return Refused.class.getProtectionDomain().getCodeSource() == null; }
    public static int library() { System.loadLibrary("nowhere"); return 1; }
    public static boolean services() { return ServiceLoader.load(Service.class).iterator().hasNext(); }
    public static boolean home() { return System.getProperty("user.home").isEmpty(); }
    public static boolean environment() { return System.getenv("PATH") == null; }
    public static boolean file() { return new java.io.File("/etc/passwd").exists(); }
    public static boolean day() { return java.util.Calendar.getInstance().get(java.util.Calendar.YEAR) > 2000; }
    public static boolean month() { return java.util.Calendar.getInstance().getActualMaximum(java.util.Calendar.DAY_OF_MONTH) > 30; }
    public static long partly() { java.util.Calendar c = java.util.Calendar.getInstance(); c.set(2020, 1, 29); return c.getTimeInMillis(); }
    public static long century() throws Exception { return new java.text.SimpleDateFormat("yy").parse("20").getTime(); }
    public static boolean instant() { return java.time.Instant.now().getEpochSecond() > 0; }
    public static int started() { new Thread(() -> { }).start(); return 1; }
}
