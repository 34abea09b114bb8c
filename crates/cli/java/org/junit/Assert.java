package org.junit;

import java.util.Arrays;
import org.junit.function.ThrowingRunnable;

/** As much of JUnit's class as tests are written with, for machines on which there is no JUnit. */
public final class Assert {
    private Assert() { }

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

    public static void assertEquals(long expected, long actual) {
        assertEquals((Object) expected, actual);
    }

    public static void assertEquals(float expected, float actual, float delta) {
        assertEquals((Object) expected, actual);
    }

    public static void assertEquals(double expected, double actual, double delta) {
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

    public static void assertArrayEquals(boolean[] expected, boolean[] actual) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(float[] expected, float[] actual, float delta) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(double[] expected, double[] actual, double delta) {
        if (!Arrays.equals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual) {
        if (!Arrays.deepEquals(expected, actual)) {
            throw new AssertionError("expected " + Arrays.toString(expected) + ", and not " + Arrays.toString(actual));
        }
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, ThrowingRunnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            if (expected.isInstance(e)) {
                return expected.cast(e);
            }
            throw new AssertionError("expected " + expected.getName() + ", and not " + e);
        }
        throw new AssertionError("nothing was thrown");
    }
}
