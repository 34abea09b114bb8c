package lazuli.judge;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A program: the names of its classes, their files as far as they were needed, and the loader that has them now. */
final class Program {
    /** Those that the drivers call stand here: a witness answers. */
    private static final Set<String> DRIVERS = Set.of("lazuli/Lazuli", "org/sosy_lab/sv_benchmarks/Verifier");

    private final Judge judge;
    private final int number;
    final Set<String> classes = new HashSet<>();
    /** A class that there is not has an empty file. */
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private ProgramLoader loader;

    Program(Judge judge, int number, String[] names) {
        this.judge = judge;
        this.number = number;
        for (String name : names) classes.add(name);
    }

    /** A loader whose classes nobody has changed; a fresh one for who depends on it. */
    ProgramLoader loader(boolean fresh) {
        if (loader == null || fresh) loader = new ProgramLoader(this);
        return loader;
    }

    /** What was left in the classes is nothing for others. */
    void forgetLoader() {
        loader = null;
    }

    static boolean isDriver(String internalName) {
        return DRIVERS.contains(internalName);
    }

    byte[] file(String internalName) {
        return files.computeIfAbsent(internalName, this::read);
    }

    private byte[] read(String internalName) {
        if (isDriver(internalName)) {
            try (InputStream in = Judge.class.getResourceAsStream("/" + internalName + ".class")) {
                return in.readAllBytes();
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
        }
        byte[] bytes = classes.contains(internalName) ? judge.classFile(number, internalName) : null;
        return bytes == null ? new byte[0] : bytes;
    }
}
