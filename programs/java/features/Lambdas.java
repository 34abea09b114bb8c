package features;

import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Lambdas and method references of every kind, made by invokedynamic. */
public final class Lambdas {
    private final int base;

    private Lambdas(int base) {
        this.base = base;
    }

    private int plus(int a) {
        return base + a;
    }

    private static int twice(int a) {
        return 2 * a;
    }

    private IntUnaryOperator capturingThis(int factor) {
        return x -> x * factor + base;
    }

    @FunctionalInterface
    interface Five {
        long apply(byte a, int b, long c, float d, double e);

        default Five negated() {
            return (a, b, c, d, e) -> -apply(a, b, c, d, e);
        }
    }

    public static int withoutCapture(int a) {
        IntUnaryOperator square = x -> x * x;
        return square.applyAsInt(a);
    }

    public static long capturesEveryType(boolean z, byte b, char c, short s, int i, long l, String t) {
        Supplier<Long> sum = () -> (z ? 1 : 0) + b + c + s + i + l + (t == null ? -1 : t.length());
        return sum.get();
    }

    public static double capturesFloats(float f, double d) {
        Supplier<Double> product = () -> f * d;
        return product.get();
    }

    public static int capturesThis(int a, int b) {
        return new Lambdas(a).capturingThis(3).applyAsInt(b);
    }

    public static int changesCapturedArray(int a) {
        int[] counter = {a};
        Runnable increment = () -> counter[0]++;
        increment.run();
        increment.run();
        return counter[0];
    }

    public static int staticReference(int a) {
        IntUnaryOperator f = Lambdas::twice;
        return f.applyAsInt(a);
    }

    public static int boundReference(int a, int b) {
        IntUnaryOperator f = new Lambdas(a)::plus;
        return f.applyAsInt(b);
    }

    public static int unboundReference(String s) {
        Function<String, Integer> f = String::length;
        return f.apply(s);
    }

    public static int constructorReference(int a) {
        Function<Integer, Lambdas> make = Lambdas::new;
        return make.apply(a).base;
    }

    public static int arrayConstructorReference(int a) {
        Function<Integer, int[]> make = int[]::new;
        return make.apply(a & 15).length;
    }

    public static int jdkReference(int a, int b) {
        IntBinaryOperator larger = Math::max;
        return larger.applyAsInt(a, b);
    }

    /** The receiver of a bound reference is checked when the reference is made. */
    public static int boundToNull(String s) {
        IntSupplier length = s::length;
        return length.getAsInt();
    }

    public static int composed(int a) {
        IntUnaryOperator increment = x -> x + 1;
        return increment.andThen(x -> x * 10).compose(x -> x - 3).applyAsInt(a);
    }

    public static String composedFunctions(String s) {
        Function<String, String> exclaim = x -> x + "!";
        Function<String, Integer> length = String::length;
        return exclaim.andThen(length).apply(s) + exclaim.compose((Integer x) -> "n" + x).apply(5);
    }

    public static boolean predicates(int a) {
        IntPredicate even = x -> x % 2 == 0;
        IntPredicate small = x -> x < 100;
        return even.negate().and(small).or(x -> x == 200).test(a);
    }

    public static int returnsLambda(int a, int b, int c) {
        Function<Integer, Function<Integer, Function<Integer, Integer>>> curried = x -> y -> z -> x - y * z;
        return curried.apply(a).apply(b).apply(c);
    }

    public static long mixedParameters(byte a, int b, long c, float d, double e) {
        Five five = (p, q, r, s, t) -> p + q + r + (long) s + (long) t;
        return five.negated().apply(a, b, c, d, e);
    }

    public static int boxingAdapted(int a, int b) {
        BiFunction<Integer, Integer, Integer> add = Integer::sum;
        return add.apply(a, b);
    }

    public static int selected(int which, int a) {
        IntUnaryOperator[] operations = {x -> x + 1, x -> -x, Lambdas::twice, Integer::bitCount};
        return operations[which & 3].applyAsInt(a);
    }

    public static int repeated(int a, int times) {
        IntUnaryOperator step = x -> x % 2 == 0 ? x / 2 : 3 * x + 1;
        int x = a;
        for (int i = 0; i < (times & 7); i++) {
            x = step.applyAsInt(x);
        }
        return x;
    }

    /** A lambda without captures may be one object; each evaluation of a capturing one answers by its own value. */
    public static int madeInLoop(int a) {
        IntSupplier[] suppliers = new IntSupplier[4];
        for (int i = 0; i < suppliers.length; i++) {
            int n = i * a;
            suppliers[i] = () -> n;
        }
        int sum = 0;
        for (IntSupplier supplier : suppliers) {
            sum = sum * 7 + supplier.getAsInt();
        }
        return sum;
    }

    public static String throwing(int a) {
        IntUnaryOperator divide = x -> 100 / x;
        try {
            return "" + divide.applyAsInt(a);
        } catch (ArithmeticException e) {
            return "caught";
        }
    }

    public static int recursive(int n) {
        IntUnaryOperator[] factorial = new IntUnaryOperator[1];
        factorial[0] = x -> x <= 1 ? 1 : x * factorial[0].applyAsInt(x - 1);
        return factorial[0].applyAsInt(n & 15);
    }

    private static Supplier<String> constant() {
        return () -> "constant";
    }

    private static IntSupplier capturing(int n) {
        return () -> n;
    }

    private static Function<String, Integer> reference() {
        return String::length;
    }

    /** Without captures a lambda is one object, and every place has its own. */
    public static int identity(int n) {
        Supplier<String> here = () -> "constant";
        int same = constant() == constant() ? 1 : 0;
        same += reference() == reference() ? 2 : 0;
        same += here == constant() ? 4 : 0;
        same += capturing(n) == capturing(n) ? 8 : 0;
        return same;
    }

    public static int identityInLoop(int n) {
        Object first = null;
        int same = 0;
        for (int i = 0; i < 3; i++) {
            IntUnaryOperator twice = x -> 2 * x;
            first = first == null ? twice : first;
            same += twice == first ? twice.applyAsInt(n) : 1;
        }
        return same;
    }
}
