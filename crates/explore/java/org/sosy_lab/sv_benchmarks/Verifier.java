package org.sosy_lab.sv_benchmarks;

import java.util.function.BiFunction;

/** The interface of the competition's drivers, where a witness says what its methods give. */
public final class Verifier {
    /** Set by whoever runs the witness: the type, and the name. */
    static BiFunction<String, Object, Object> source;

    private Verifier() {}

    public static int nondetInt() { return (Integer) source.apply("I", "nondet"); }
    public static long nondetLong() { return (Long) source.apply("J", "nondet"); }
    public static short nondetShort() { return (Short) source.apply("S", "nondet"); }
    public static byte nondetByte() { return (Byte) source.apply("B", "nondet"); }
    public static char nondetChar() { return (Character) source.apply("C", "nondet"); }
    public static boolean nondetBoolean() { return (Boolean) source.apply("Z", "nondet"); }
    public static float nondetFloat() { return (Float) source.apply("F", "nondet"); }
    public static double nondetDouble() { return (Double) source.apply("D", "nondet"); }

    /** A new string with the text of the input. */
    public static String nondetString() { return new String((String) source.apply("L", "nondet")); }

    public static void assume(boolean condition) {
        if (!condition) source.apply("assume", null);
    }
}
