import java.io.*;
import java.nio.charset.*;
import java.text.*;
import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** What a program finds that a virtual machine has set up. Every method gives the same on every run of a virtual machine whose locale is en_US, with UTC and UTF-8. */
public class Machine {
    enum Suit { CLUBS, HEARTS { int worth() { return 2; } }; int worth() { return 1; } }

    // The standard streams: what is printed is compared too.
    public static int printsLines() { System.out.println("a line"); System.out.println(); System.out.print('c'); return 1; }
    public static int printsNumbers() { System.out.println(-5); System.out.print(7L); System.out.println(true); System.out.println(1.5); System.out.print(2f); return 1; }
    public static int printsObjects() { System.out.println(List.of(1, 2)); System.out.print((Object) null); System.out.println(new StringBuilder("b")); return 1; }
    public static int printsChars() { System.out.println(new char[] { 'x', 'y' }); System.out.append('z').append("tail"); System.out.write('w'); System.out.flush(); return 1; }
    public static int formats() { System.out.printf("%d %s %5.2f%n", 3, "t", 2.5); return 1; }
    public static int printsErrors() { System.err.println("e"); System.out.println("o"); System.err.print(3); return 1; }
    public static int printsTrace() { new IllegalStateException("m").printStackTrace(); return 1; }
    public static int redirects() {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes));
        System.out.print("hidden");
        System.setOut(before);
        System.out.print("seen");
        return bytes.size();
    }
    public static boolean streams() throws IOException { return System.in != null && System.out != System.err; }

    // Properties.
    public static String separators() { return System.lineSeparator() + File.separator + File.pathSeparatorChar + System.getProperty("path.separator"); }
    public static String encodings() { return Charset.defaultCharset().name() + System.getProperty("file.encoding") + System.getProperty("native.encoding"); }
    public static String version() { return System.getProperty("java.version") + System.getProperty("java.specification.version") + System.getProperty("java.class.version"); }
    public static String vendor() { return System.getProperty("java.vendor") + System.getProperty("java.vm.name"); }
    public static boolean user() { return System.getProperty("user.home") != null && System.getProperty("user.dir") != null && System.getProperty("user.name") != null; }
    public static String absent() { return System.getProperty("no.such.property") + System.getProperty("no.such", "instead") + Integer.getInteger("no.number") + Boolean.getBoolean("no.flag"); }
    public static String changed() { System.setProperty("of.mine", "v"); String was = System.setProperty("of.mine", "w"); return was + System.getProperty("of.mine") + System.clearProperty("of.mine") + System.getProperty("of.mine"); }
    public static boolean all() { return System.getProperties().containsKey("java.version") && !System.getProperties().containsKey("of.nobody"); }

    // Texts and places.
    public static int bytes() { return "h\u00e9".getBytes().length + new String(new byte[] { 65, 66 }).length(); }
    public static String locale() { return Locale.getDefault() + " " + Locale.getDefault(Locale.Category.FORMAT).getDisplayLanguage(); }
    public static String zone() { return TimeZone.getDefault().getID() + java.time.ZoneId.systemDefault(); }
    public static String decimal() { return new DecimalFormat("#,##0.00").format(12345.678) + NumberFormat.getPercentInstance().format(0.25); }
    public static String german() { return NumberFormat.getInstance(Locale.GERMANY).format(12345.67); }
    public static String calendar() { Calendar c = new GregorianCalendar(2020, Calendar.FEBRUARY, 29, 12, 0); c.add(Calendar.YEAR, 1); return c.get(Calendar.DAY_OF_MONTH) + " " + c.getTimeInMillis() + c.getFirstDayOfWeek(); }
    public static String dates() throws Exception {
        java.text.SimpleDateFormat format = new java.text.SimpleDateFormat("EEE, d MMM yyyy HH:mm:ss");
        return format.format(new Date(1_600_000_000_000L)) + new java.text.SimpleDateFormat("yyyy-MM-dd").parse("2020-02-29").getTime();
    }
    public static long setAnew() {
        Calendar c = Calendar.getInstance();
        c.setTime(new Date(0));
        c.add(Calendar.MONTH, 14);
        c.roll(Calendar.DAY_OF_MONTH, 40);
        Calendar d = Calendar.getInstance();
        d.clear();
        d.set(2020, Calendar.FEBRUARY, 29, 12, 30, 5);
        return c.getTimeInMillis() + d.getTimeInMillis() + c.getActualMaximum(Calendar.DAY_OF_MONTH);
    }
    public static boolean instants() { return java.time.Instant.now() != null && new java.util.logging.LogRecord(java.util.logging.Level.INFO, "m").getMessage() != null; }
    public static int scanned() { Scanner s = new Scanner("12 x 3.5"); return s.nextInt() + s.next().length() + (int) s.nextDouble(); }
    public static boolean files() { return new File("a/b").getName().equals("b") && new File("/a/../b").getPath().length() == 7; }

    // Threads, classes, loaders, modules.
    public static String thread() { Thread t = Thread.currentThread(); return t.getName() + t.getPriority() + t.isAlive() + t.isDaemon() + t.getThreadGroup().getName() + t.getThreadGroup().getParent().getName() + t.getState(); }
    public static boolean threads() { Thread t = new Thread(() -> { }, "mine"); return t.getName().equals("mine") && !t.isAlive() && !t.isInterrupted(); }
    public static int local() { ThreadLocal<Integer> l = ThreadLocal.withInitial(() -> 4); l.set(l.get() + 1); return l.get(); }
    public static String loader() { return String.class.getClassLoader() + " " + (Machine.class.getClassLoader() == ClassLoader.getSystemClassLoader()) + (Thread.currentThread().getContextClassLoader() == Machine.class.getClassLoader()); }
    public static String module() { return String.class.getModule().getName() + Machine.class.getModule().isNamed() + (int[].class.getModule() == String.class.getModule()) + java.util.logging.Level.class.getModule().getName(); }
    public static String shown() {
        Module base = String.class.getModule(), mine = Machine.class.getModule();
        return "" + base.isExported("java.util", mine) + base.isOpen("java.util", mine) + base.isExported("sun.util.calendar", mine) + mine.isOpen("x");
    }
    public static String generic() throws Exception {
        return Arrays.toString(Map.class.getTypeParameters()) + ArrayList.class.getGenericSuperclass()
            + List.class.getMethod("iterator").getGenericReturnType() + Optional.class.getDeclaredField("value").getGenericType()
            + String.class.getGenericSuperclass();
    }
    public static String packages() { return String.class.getPackage().getName() + Map.Entry.class.getPackageName() + (String.class.getPackage() == Object.class.getPackage()); }
    public static String monitors() { try { new Object().notify(); return "none"; } catch (IllegalMonitorStateException e) { return "thrown"; } }
    public static int held() { Object o = new Object(); synchronized (o) { o.notifyAll(); return Thread.holdsLock(o) ? 1 : 0; } }

    // Libraries that start with natives.
    public static long crc() { java.util.zip.CRC32 c = new java.util.zip.CRC32(); c.update(new byte[] { 1, 2, 3 }); java.util.zip.Adler32 a = new java.util.zip.Adler32(); a.update(9); return c.getValue() * 31 + a.getValue(); }
    public static int random() { Random r = new Random(42); return r.nextInt(100) * 1000 + r.nextInt(7); }
    public static String numbers() { return new java.math.BigInteger("123456789012345678901234567890").pow(2).toString() + new java.math.BigDecimal("1.10").add(java.math.BigDecimal.ONE); }
    public static String time() { return java.time.LocalDate.of(2020, 1, 31).plusMonths(1) + " " + java.time.Duration.ofSeconds(3661); }
    public static String streamed() { return Stream.of(5, 3, 1).sorted(Comparator.reverseOrder()).map(String::valueOf).collect(Collectors.joining(",")); }
    public static String matched() { return "2020-01-31".replaceAll("(\\d+)-(\\d+)-(\\d+)", "$3.$2.$1"); }
    public static boolean logs() { return java.util.logging.Logger.getLogger("x").isLoggable(java.util.logging.Level.INFO); }
    public static boolean cookies() { java.net.HttpCookie c = new java.net.HttpCookie("a", "b"); c.setSecure(true); return c.getSecure(); }
    public static String uuid() { return UUID.nameUUIDFromBytes(new byte[] { 1 }).toString(); }
    public static String digest() throws Exception { return Arrays.toString(java.security.MessageDigest.getInstance("MD5").digest(new byte[] { 1 })).substring(0, 8); }

    // What initialisers leave, and objects that exist once.
    public static String enums() { return Suit.valueOf("HEARTS").worth() + " " + Suit.HEARTS.getDeclaringClass().getSimpleName() + EnumSet.allOf(Suit.class) + new EnumMap<Suit, Integer>(Map.of(Suit.CLUBS, 1)); }
    public static boolean literals() { String s = "con"; return "constant" == ("con" + "stant") && (s + "stant") != "constant" && (s + "stant").intern() == "constant"; }
    public static boolean boxes() { Integer a = 100, b = 100, c = 1000, d = 1000; return a == b && c != d && Boolean.valueOf(true) == Boolean.TRUE; }
    public static boolean identities() { Object o = new Object(), p = new Object(); Map<Object, Integer> m = new IdentityHashMap<>(); m.put(o, 1); m.put(p, 2); return m.get(o) == 1 && m.get(p) == 2 && o.hashCode() == o.hashCode(); }
    static int counter;
    static class Counts { static final int AT = ++counter; static int again = AT + 1; }
    public static int order() { counter = 10; return Counts.AT * 100 + Counts.again + counter; }
    static class Bad { static int x = Integer.parseInt("x"); }
    public static String failed() { String first, second; try { first = "" + Bad.x; } catch (ExceptionInInitializerError e) { first = e.getCause().getClass().getName(); } try { second = "" + Bad.x; } catch (NoClassDefFoundError e) { second = "gone"; } return first + second; }
    static class Ping { static int a = 1; static int b = Pong.c; }
    static class Pong { static int c = Ping.a + 5; }
    public static int circle() { return Ping.b * 10 + Pong.c; }
    static class Tick { static int a = 1; static int b = Tock.c; }
    static class Tock { static int c = Tick.a + 5; }
    public static int circleFromBelow() { return Tock.c * 10 + Tick.b; }
    static class Shared { static final List<Integer> LIST = new ArrayList<>(List.of(1, 2)); static final int SIZE = LIST.size(); }
    static class Late { static final int SIZE = Shared.LIST.size(); }
    public static int mutated() { Shared.LIST.add(3); return Late.SIZE * 10 + Shared.SIZE; }
    public static String arraysOfArrays() { return java.lang.reflect.Array.newInstance(String[].class, 2, 3).getClass().getName() + Arrays.deepToString((int[][]) java.lang.reflect.Array.newInstance(int.class, 2, 1)); }
}
