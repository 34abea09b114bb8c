import java.util.*;

/** What differs from run to run, passed on or looked at. */
public class Varying {
    public static long passesTime() { return System.currentTimeMillis(); }
    public static long passesNanos() { long start = System.nanoTime(); return System.nanoTime() - start; }
    public static int passesRandom() { return new Random().nextInt(); }
    public static boolean passesSet() { return Set.of(1, 2, 3).contains(2); }
    public static int decidesByTime() { return System.currentTimeMillis() % 2 == 0 ? 1 : 2; }
    public static int decidesByNanos() { return System.nanoTime() > 5 ? 1 : 2; }
    public static int decidesByRandom() { return new Random().nextInt() > 0 ? 1 : 2; }
    public static int decidesByOrder() { return Set.of("a", "b").iterator().next().equals("a") ? 1 : 2; }
    public static int decidesByInput() throws Exception { return System.in.read() == 'y' ? 1 : 2; }
    public static int decidesByMemory() { return Runtime.getRuntime().freeMemory() > 1000 ? 1 : 2; }
}
