package org.sosy_lab.sv_benchmarks;

import java.util.Random;

/**
 * The interface of the Java programs of the software verification competition, for sources that come without it. Lazuli
 * recognises these methods by name. On a plain JVM they are random, and a violated assumption ends the run.
 */
public final class Verifier {
    private static final Random RANDOM = new Random();

    private Verifier() {}

    public static void assume(boolean condition) {
        if (!condition) {
            Runtime.getRuntime().halt(1);
        }
    }

    public static boolean nondetBoolean() {
        return RANDOM.nextBoolean();
    }

    public static byte nondetByte() {
        return (byte) RANDOM.nextInt();
    }

    public static char nondetChar() {
        return (char) RANDOM.nextInt();
    }

    public static short nondetShort() {
        return (short) RANDOM.nextInt();
    }

    public static int nondetInt() {
        return RANDOM.nextInt();
    }

    public static long nondetLong() {
        return RANDOM.nextLong();
    }

    public static float nondetFloat() {
        return Float.intBitsToFloat(RANDOM.nextInt());
    }

    public static double nondetDouble() {
        return Double.longBitsToDouble(RANDOM.nextLong());
    }

    public static String nondetString() {
        char[] characters = new char[RANDOM.nextInt(16)];
        for (int i = 0; i < characters.length; i++) {
            characters[i] = (char) RANDOM.nextInt();
        }
        return new String(characters);
    }
}
