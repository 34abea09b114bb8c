import java.util.*;

/**
 * Records whose constructors keep something else than they are given. What a method may throw stands in its throws clause; it throws
 * nothing else.
 */
public class Copied {
    record Scores(List<Integer> all) {
        Scores { all = List.copyOf(all); }
    }

    record Guarded(List<String> names) {
        Guarded { names = Collections.unmodifiableList(new ArrayList<>(names)); }
    }

    record Own(ArrayList<Integer> list) {
        Own { list = new ArrayList<>(list); }
    }

    record Clamped(int percent, long rest) {
        Clamped {
            if (percent < 0) percent = 0;
            if (percent > 100) percent = 100;
            if (rest < 0) throw new IllegalArgumentException();
        }
    }

    record Named(String name) {
        Named { name = name == null ? "" : name.trim(); }
    }

    record Cells(int[] cells) {
        Cells { cells = cells.clone(); }
    }

    static int count(Scores s) {
        if (s == null) return 0;
        for (Integer x : s.all()) if (x == null) throw new IllegalStateException();
        return s.all().isEmpty() ? 1 : s.all().get(0) > 3 ? 2 : 3;
    }

    static int changed(Scores s) throws UnsupportedOperationException {
        if (s == null) return 0;
        s.all().add(1);
        return 1;
    }

    static int first(Guarded g) {
        if (g == null || g.names().isEmpty()) return 0;
        return g.names().get(0) == null ? 1 : 2;
    }

    static int own(Own o) {
        if (o == null) return 0;
        if (o.list() == null) throw new IllegalStateException();
        return o.list().isEmpty() ? 1 : 2;
    }

    static int percent(Clamped c) {
        if (c == null) return 0;
        if (c.percent() < 0 || c.percent() > 100 || c.rest() < 0) throw new IllegalStateException();
        return c.percent() == 100 ? 1 : 2;
    }

    static int length(Named n) {
        if (n == null) return 0;
        if (n.name().startsWith(" ")) throw new IllegalStateException();
        return n.name().isEmpty() ? 1 : 2;
    }

    static int cells(Cells c) {
        if (c == null) return 0;
        return c.cells().length == 0 ? 1 : c.cells()[0] > 3 ? 2 : 3;
    }
}
