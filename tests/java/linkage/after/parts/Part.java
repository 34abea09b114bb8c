package parts;

/** As the class is when {@code use.Use} runs. */
public class Part {
    public int count(int x) { return x; }
    public static int scale(int x) { return 2 * x; }
    public int total;
    public static int weight;
    public long widened;
    public int answer(int x) { return x; }
    public int takes(long x) { return (int) x; }
    private static int hidden(int x) { return x; }
    private int secret(int x) { return x; }
    private int own = 5;
    protected int guarded(int x) { return x; }
    int within(int x) { return x; }
    public final int fixed = 1;
    public static final int frozen = Integer.parseInt("3");

    public interface Shape { int area(); static int unit() { return 1; } }
    public static class Round implements Shape { public int area() { return 3; } }
    public static class Sink { public int take(int x) { return x; } public static int size() { return 9; } }
    public static class Bucket extends Sink { public int take(int x) { return x + 1; } }
    public static abstract class Concrete { public int value() { return 8; } }
    public static class Closed { private Closed() {} }
    public static class Numbered { public Numbered(long n) {} }
    public static abstract class Base { public abstract int run(); }
    public static class Plugin { protected int plug() { return 6; } }
    public interface Plug { int plug(); int unplug(); }
    public interface Greets { default int greet() { return 1; } }
    public interface Parts { default int greet() { return 2; } }
    public static int extra(Plug plug) { return plug.unplug(); }
    public static class Middle { public int level() { return 1; } }
    public static class Low extends Middle { public int level() { return 10 + super.level(); } }
    public static class Local { int name() { return 1; } public static int ask(Local it) { return it.name(); } }
    static class Visible { public int look() { return 2; } }
}
