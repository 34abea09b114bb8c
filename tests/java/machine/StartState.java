import java.lang.reflect.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import jdk.internal.misc.Unsafe;

/** Lists the statics that a virtual machine has set when a program starts: of every initialised class of java.base those that are not null. */
public class StartState {
    public static void main(String[] args) throws Exception {
        Unsafe unsafe = Unsafe.getUnsafe();
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base/java/lang");
        List<String> names = new ArrayList<>();
        try (var files = Files.walk(base)) {
            files.map(Path::toString).filter(name -> name.endsWith(".class")).forEach(names::add);
        }
        Collections.sort(names);
        for (String name : names) {
            Class<?> type = Class.forName(name.substring("/modules/java.base/".length(), name.length() - 6).replace('/', '.'), false, null);
            if (unsafe.shouldBeInitialized(type)) continue;
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive() || field.isSynthetic()) continue;
                Object value = unsafe.getReference(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field));
                if (value != null) System.out.println(type.getName() + "." + field.getName());
            }
        }
    }
}
