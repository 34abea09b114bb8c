package hex.trajectory;

import lazuli.Lazuli;

class Fix {
    int x;
    int y;
}

class FixEntry {
    Fix fix;
    FixEntry next;
    FixEntry previous;
}

/** A circular doubly linked list of fixes with a header entry and a size. */
class Route {
    int size;
    FixEntry header;

    // ---- the invariant ----

    /** Every entry but the header has a fix and knows its predecessor; so none is met twice. */
    public boolean repOk() {
        if (header == null || header.fix != null) {
            return false;
        }
        FixEntry before = header;
        int met = 0;
        for (FixEntry e = header.next; ; e = e.next) {
            if (e == null || e.previous != before) {
                return false;
            }
            if (e == header) {
                return size == met;
            }
            if (e.fix == null) {
                return false;
            }
            before = e;
            met++;
        }
    }

    /** The same on a partial heap. It follows {@code next} only. */
    public boolean repOkConservative() {
        if (!Lazuli.isResolved(this, "header")) {
            return true;
        }
        if (header == null || Lazuli.isResolved(header, "fix") && header.fix != null) {
            return false;
        }
        FixEntry before = header;
        int met = 0;
        while (Lazuli.isResolved(before, "next")) {
            FixEntry e = before.next;
            if (e == null || Lazuli.isResolved(e, "previous") && e.previous != before) {
                return false;
            }
            if (e == header) {
                return size == met;
            }
            if (Lazuli.isResolved(e, "fix") && e.fix == null) {
                return false;
            }
            before = e;
            met++;
        }
        return true;
    }

    // ---- what the synthesis does with routes ----

    void append(Fix fix) {
        FixEntry added = new FixEntry();
        added.fix = fix;
        added.next = header;
        added.previous = header.previous;
        added.previous.next = added;
        header.previous = added;
        size = size + 1;
    }

    /** Removes the first entry of a fix, if there is one. */
    boolean forget(Fix fix) {
        for (FixEntry e = header.next; e != header; e = e.next) {
            if (e.fix == fix) {
                e.previous.next = e.next;
                e.next.previous = e.previous;
                size = size - 1;
                return true;
            }
        }
        return false;
    }

    int entries() {
        int met = 0;
        for (FixEntry e = header.next; e != header; e = e.next) {
            met++;
        }
        return met;
    }
}

/**
 * Synthesizing the trajectory of a flight from a position on, along a route of fixes: {@code programs/hex/subjects/Trajectory.pose} in Java,
 * method by method. {@code Trajectory.hex} beside that file is the invariant of its two inputs.
 */
public class TrajectorySynthesizer {
    /** Both lists are there, and have nothing in common. Rings with different headers are different: a header has no fix. */
    public boolean repOkInputs(Route route, Route pending, int x) {
        return route != null && pending != null && route != pending && route.header != pending.header;
    }

    /** The fixes of the route from a position on, which are taken off the list of pending ones. */
    public Route synthesize(Route route, Route pending, int x) {
        Route trajectory = emptyRoute();
        for (FixEntry e = route.header.next; e != route.header; e = e.next) {
            if (e.fix.x >= x) {
                pending.forget(e.fix);
                trajectory.append(e.fix);
            }
        }
        assert route.entries() == route.size;
        return trajectory;
    }

    private static Route emptyRoute() {
        Route route = new Route();
        FixEntry header = new FixEntry();
        header.next = header;
        header.previous = header;
        route.header = header;
        return route;
    }
}
