package org.junit.jupiter.api.function;

/** JUnit's interface, for machines on which there is no JUnit. */
@FunctionalInterface
public interface Executable {
    void execute() throws Throwable;
}
