package parts;

/** As the class was when {@code use.Use} was compiled. */
public class Part {
    public static int count(int x) { return x; }
    public int scale(int x) { return 2 * x; }
    public static int total;
    public int weight;
    public int removed(int x) { return x; }
    public int dropped;
    public static int cleared;
    public int widened;
    public long answer(int x) { return x; }
    public int takes(int x) { return x; }
    public static int hidden(int x) { return x; }
    public int secret(int x) { return x; }
    public int own = 5;
    public int guarded(int x) { return x; }
    public int within(int x) { return x; }
    public int fixed;
    public static int frozen;

    public static class Shape { public int area() { return 4; } public static int unit() { return 1; } }
    public static class Round extends Shape { public int area() { return 3; } }
    public interface Sink { int take(int x); static int size() { return 9; } }
    public static class Bucket implements Sink { public int take(int x) { return x + 1; } }
    public static class Concrete { public int value() { return 8; } }
    public static class Closed { public Closed() {} }
    public static class Numbered { public Numbered(int n) {} }
    public static class Base { public int run() { return 1; } }
    public static class Plugin implements Plug { public int plug() { return 6; } }
    public interface Plug { int plug(); }
    public interface Greets { default int greet() { return 1; } }
    public interface Parts { }
    public static int extra(Plug plug) { return plug.plug(); }
    public static class Middle { public int level() { return 1; } }
    public static class Low extends Middle { }
    public static class Local { int name() { return 1; } public static int ask(Local it) { return it.name(); } }
    public static class Visible { public int look() { return 2; } }
}
