package tested;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Records: an interval of numbers, and what two of them have in common. */
public record Interval(int low, int high) {
    public Interval {
        if (low > high) {
            throw new IllegalArgumentException("low > high");
        }
    }

    public Optional<Interval> common(Interval other) {
        int from = Math.max(low, other.low);
        int to = Math.min(high, other.high);
        return from <= to ? Optional.of(new Interval(from, to)) : Optional.empty();
    }

    public List<Interval> split(int at) {
        List<Interval> parts = new ArrayList<>();
        if (at < low || at >= high) {
            parts.add(this);
        } else {
            parts.add(new Interval(low, at));
            parts.add(new Interval(at + 1, high));
        }
        return parts;
    }
}
