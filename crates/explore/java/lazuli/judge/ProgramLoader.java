package lazuli.judge;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** The program's classes, from the very bytes that were analysed; its assertions are on, those of the JDK are not. */
final class ProgramLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final Program program;
    /** What is looked up again and again, by the witness's builder. */
    final Map<String, Class<?>> known = new ConcurrentHashMap<>();
    final Map<String, Object> members = new ConcurrentHashMap<>();
    /** What the program asks for in the middle of a run. */
    BiFunction<String, Object, Object> source;

    ProgramLoader(Program program) {
        // Without a name, which stack traces would show.
        super(ClassLoader.getPlatformClassLoader());
        this.program = program;
        setDefaultAssertionStatus(true);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String internal = name.replace('.', '/');
        byte[] bytes = program.file(internal);
        if (bytes.length == 0) throw new ClassNotFoundException(name);
        Class<?> type = defineClass(name, bytes, 0, bytes.length);
        if (Program.isDriver(internal)) {
            BiFunction<String, Object, Object> ask = (kind, what) -> source.apply(kind, what);
            Memory.putStatic(type, "source", ask);
        }
        return type;
    }

    /** A class that was not compiled by anybody. */
    Class<?> define(String name, byte[] bytes) {
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** A class by its internal name, or an array's by its descriptor. It is not initialised. */
    Class<?> type(String internal) {
        Class<?> found = known.get(internal);
        if (found != null) return found;
        try {
            found = Class.forName(internal.replace('/', '.'), false, this);
        } catch (ClassNotFoundException missing) {
            if (!internal.endsWith(Uninterpreted.SUFFIX)) throw new Impossible("there is no class " + internal);
            found = Uninterpreted.implement(this, internal);
        }
        known.put(internal, found);
        return found;
    }
}
