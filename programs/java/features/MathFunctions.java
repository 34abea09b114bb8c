package features;

/** Functions whose last bit is specified. */
public final class MathFunctions {
    private MathFunctions() {
    }

    public static double angles(double a) {
        return StrictMath.sin(a) + StrictMath.cos(a) * StrictMath.tan(a);
    }

    public static double inverse(double a, double b) {
        return StrictMath.asin(a) + StrictMath.acos(a) * StrictMath.atan(b) - StrictMath.atan2(a, b);
    }

    public static double hyperbolic(double a) {
        return StrictMath.sinh(a) - StrictMath.cosh(a) / StrictMath.tanh(a);
    }

    public static double logarithms(double a) {
        return StrictMath.log(a) + StrictMath.log10(a) * StrictMath.log1p(a) + StrictMath.expm1(a) + StrictMath.exp(a);
    }

    public static double remainder(double a, double b) {
        return StrictMath.IEEEremainder(a, b);
    }

    public static double power(double a, double b) {
        return StrictMath.pow(a, b) + StrictMath.cbrt(a) + StrictMath.hypot(a, b);
    }

    public static double fused(double a, double b, double c) {
        return Math.fma(a, b, c);
    }

    public static float fused(float a, float b, float c) {
        return Math.fma(a, b, c);
    }
}
