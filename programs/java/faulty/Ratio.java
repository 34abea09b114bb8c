package faulty;

/** A share in percent: whoever sells nothing divides by zero, and nobody tests a floating-point number for that. */
public class Ratio {
    public static int percent(double part, double whole) {
        if (part < 0 || whole < 0) {
            throw new IllegalArgumentException("negative");
        }
        double percent = part <= whole ? part / whole * 100 : 100;
        assert percent >= 0 && percent <= 100; // fails
        return (int) percent;
    }
}
