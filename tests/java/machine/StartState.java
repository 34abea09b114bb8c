import java.io.IOException;
import java.lang.reflect.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import jdk.internal.misc.Unsafe;

/**
 * Lists the statics that a virtual machine has set when a program starts: of every initialised class of java.lang and its packages those that are not null.
 * It uses no lambdas and joins no strings, because that initialises classes.
 */
public class StartState {
    public static void main(String[] args) throws Exception {
        Unsafe unsafe = Unsafe.getUnsafe();
        List<String> names = new ArrayList<>();
        collect(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base/java/lang"), names);
        Collections.sort(names);
        for (String name : names) {
            String file = name.substring("/modules/java.base/".length(), name.length() - 6);
            Class<?> type = Class.forName(file.replace('/', '.'), false, null);
            if (unsafe.shouldBeInitialized(type)) continue;
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive() || field.isSynthetic()) continue;
                if (unsafe.getReference(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field)) == null) continue;
                System.out.print(type.getName());
                System.out.print('.');
                System.out.println(field.getName());
            }
        }
    }

    static void collect(Path folder, List<String> names) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry)) collect(entry, names);
                else if (entry.toString().endsWith(".class")) names.add(entry.toString());
            }
        }
    }
}
