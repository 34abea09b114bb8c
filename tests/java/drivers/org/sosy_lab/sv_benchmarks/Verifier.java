package org.sosy_lab.sv_benchmarks;

import java.util.Queue;

/** Gives the inputs of a witness, one after the other. */
public final class Verifier {
    public static Queue<String> given;

    public static void assume(boolean condition) {
        if (!condition) throw new IllegalStateException("an assumption is violated");
    }

    public static boolean nondetBoolean() { return nondetLong() != 0; }
    public static byte nondetByte() { return (byte) nondetLong(); }
    public static char nondetChar() { return (char) nondetLong(); }
    public static short nondetShort() { return (short) nondetLong(); }
    public static int nondetInt() { return (int) nondetLong(); }
    public static long nondetLong() { return Long.parseLong(given.remove()); }
    public static float nondetFloat() { return Float.intBitsToFloat(nondetInt()); }
    public static double nondetDouble() { return Double.longBitsToDouble(nondetLong()); }

    /** By the numbers of its characters: {@code s}, or {@code s104,105}. */
    public static String nondetString() {
        String text = given.remove().substring(1);
        StringBuilder characters = new StringBuilder();
        if (!text.isEmpty()) for (String number : text.split(",")) characters.append((char) Integer.parseInt(number));
        return new String(characters);
    }
}
