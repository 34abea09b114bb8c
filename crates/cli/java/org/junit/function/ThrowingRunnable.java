package org.junit.function;

/** JUnit's interface, for machines on which there is no JUnit. */
@FunctionalInterface
public interface ThrowingRunnable {
    void run() throws Throwable;
}
