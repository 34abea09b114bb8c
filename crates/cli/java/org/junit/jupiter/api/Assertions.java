package org.junit.jupiter.api;

import java.util.Arrays;
import org.junit.jupiter.api.function.Executable;

/** As much of JUnit's class as tests are written with, for machines on which there is no JUnit. */
public final class Assertions {
    private Assertions() { }

    public static void assertTrue(boolean condition) {
        assertEquals((Object) true, condition);
    }

    public static void assertFalse(boolean condition) {
        assertEquals((Object) false, condition);
    }

    public static void assertNull(Object actual) {
        assertSame(null, actual);
    }

    public static void assertNotNull(Object actual) {
        if (actual == null) {
            throw new AssertionError("null");
        }
    }

    public static void assertSame(Object expected, Object actual) {
        if (expected != actual) {
            throw new AssertionError("another object than " + expected + ": " + actual);
        }
    }

    public static void assertEquals(Object expected, Object actual) {
        if (!java.util.Objects.equals(expected, actual)) {
            throw new AssertionError("expected " + expected + ", and not " + actual);
        }
    }

    public static void assertEquals(byte expected, byte actual) {
        assertEquals((Object) expected, actual);
    }

    public static void assertEquals(char expected, char actual) {
        assertEquals((Object) expected, actual);
    }

    public static void assertEquals(short expected, short actual) {
        assertEquals((Object) expected, actual);
    }

    public static void assertEquals(int expected, int actual) {
        assertEquals((Object) expected, actual);
    }

    public static void assertEquals(long expected, long actual) {
        assertEquals((Object) expected, actual);
    }

    public static void assertEquals(float expected, float actual) {
        assertEquals((Object) expected, actual);
    }

    public static void assertEquals(double expected, double actual) {
        assertEquals((Object) expected, actual);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(char[] expected, char[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(short[] expected, short[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(int[] expected, int[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(long[] expected, long[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(float[] expected, float[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(double[] expected, double[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(boolean[] expected, boolean[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual) {
        if (!Arrays.deepEquals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertDoesNotThrow(Executable call) {
        try {
            call.execute();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, Executable call) {
        try {
            call.execute();
        } catch (Throwable e) {
            if (expected.isInstance(e)) {
                return expected.cast(e);
            }
            throw new AssertionError("expected " + expected.getName() + ", and not " + e);
        }
        throw new AssertionError("nothing was thrown");
    }
}
