package lazuli.judge;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Writes implementations of interfaces and abstract classes that nobody implements: what their methods give, a witness says. */
final class Uninterpreted {
    static final String SUFFIX = "$Uninterpreted";

    private static final int PUBLIC = 1;
    private static final int STATIC = 8;
    private static final int SUPER = 0x20;
    /** Class files of Java 6 need no descriptions of their stack where nothing is jumped to. */
    private static final int JAVA_6 = 50;

    private final DataOutputStream pool;
    private final ByteArrayOutputStream poolBytes = new ByteArrayOutputStream();
    private final Map<String, Integer> constants = new LinkedHashMap<>();
    private int size = 1;

    private Uninterpreted() {
        pool = new DataOutputStream(poolBytes);
    }

    static Class<?> implement(ProgramLoader loader, String internal) {
        Class<?> type = loader.type(internal.substring(0, internal.length() - SUFFIX.length()));
        boolean users = type.getClassLoader() == loader;
        // The JDK's packages are closed.
        String name = users ? internal : "uninterpreted/" + internal.replace('/', '_');
        try {
            byte[] bytes = new Uninterpreted().write(name, type);
            Class<?> made = loader.define(name.replace('/', '.'), bytes);
            BiFunction<String, Object, Object> ask = (kind, what) -> loader.source.apply(kind, what);
            Memory.putStatic(made, "source", ask);
            return made;
        } catch (IOException | LinkageError broken) {
            throw new Impossible("nobody can implement " + type.getName() + " from outside: " + broken.getMessage());
        }
    }

    private byte[] write(String name, Class<?> type) throws IOException {
        String above = type.isInterface() ? "java/lang/Object" : Rules.internal(type);
        int self = classOf(name);
        int superclass = classOf(above);
        int[] interfaces = type.isInterface() ? new int[] {classOf(Rules.internal(type))} : new int[0];
        ByteArrayOutputStream bodyBytes = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(bodyBytes);
        body.writeShort(PUBLIC | SUPER);
        body.writeShort(self);
        body.writeShort(superclass);
        body.writeShort(interfaces.length);
        for (int each : interfaces) body.writeShort(each);
        body.writeShort(1);
        body.writeShort(PUBLIC | STATIC);
        body.writeShort(utf8("source"));
        body.writeShort(utf8("Ljava/util/function/BiFunction;"));
        body.writeShort(0);
        List<Method> methods = missing(type);
        body.writeShort(methods.size());
        for (Method method : methods) method(body, name, method);
        body.writeShort(0);

        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(whole);
        out.writeInt(0xCAFEBABE);
        out.writeShort(0);
        out.writeShort(JAVA_6);
        out.writeShort(size);
        poolBytes.writeTo(out);
        bodyBytes.writeTo(out);
        return whole.toByteArray();
    }

    /** The abstract methods that no class above has a body for. */
    private static List<Method> missing(Class<?> type) {
        Map<String, Method> found = new LinkedHashMap<>();
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) classes.add(at);
        if (type.isInterface()) classes.add(Object.class);
        // What is nearer counts; a class counts before interfaces.
        for (Class<?> at : classes) {
            if (at.isInterface()) continue;
            for (Method method : at.getDeclaredMethods()) if (isInherited(method)) found.putIfAbsent(key(method), method);
        }
        List<Class<?>> interfaces = new ArrayList<>();
        for (Class<?> at : classes) collect(at, interfaces);
        for (Class<?> at : interfaces) {
            for (Method method : at.getDeclaredMethods()) {
                if (!isInherited(method)) continue;
                found.merge(key(method), method, (known, other) -> {
                    boolean nearer = known.getDeclaringClass().isInterface() && !Modifier.isAbstract(other.getModifiers())
                        && known.getDeclaringClass().isAssignableFrom(other.getDeclaringClass());
                    return nearer ? other : known;
                });
            }
        }
        List<Method> missing = new ArrayList<>();
        for (Method method : found.values()) if (Modifier.isAbstract(method.getModifiers())) missing.add(method);
        return missing;
    }

    private static boolean isInherited(Method method) {
        return !Modifier.isStatic(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers());
    }

    private static void collect(Class<?> type, List<Class<?>> interfaces) {
        if (type.isInterface() && !interfaces.contains(type)) interfaces.add(type);
        for (Class<?> above : type.getInterfaces()) collect(above, interfaces);
    }

    private static String key(Method method) {
        return method.getName() + descriptor(method);
    }

    private static String descriptor(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString();
    }

    /** {@code return (R) source.apply("answer", "name type");}, or nothing at all for {@code void}. */
    private void method(DataOutputStream out, String self, Method method) throws IOException {
        Class<?> result = method.getReturnType();
        ByteArrayOutputStream codeBytes = new ByteArrayOutputStream();
        DataOutputStream code = new DataOutputStream(codeBytes);
        if (result == void.class) {
            code.writeByte(0xb1);
        } else {
            code.writeByte(0xb2);
            code.writeShort(member(9, self, "source", "Ljava/util/function/BiFunction;"));
            code.writeByte(0x13);
            code.writeShort(string("answer"));
            code.writeByte(0x13);
            code.writeShort(string(method.getName() + " " + result.descriptorString().charAt(0)));
            code.writeByte(0xb9);
            code.writeShort(member(11, "java/util/function/BiFunction", "apply",
                "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"));
            code.writeByte(3);
            code.writeByte(0);
            give(code, result);
        }
        int locals = 1;
        for (Class<?> parameter : method.getParameterTypes()) {
            locals += parameter == long.class || parameter == double.class ? 2 : 1;
        }
        out.writeShort(Modifier.isProtected(method.getModifiers()) ? 4 : PUBLIC);
        out.writeShort(utf8(method.getName()));
        out.writeShort(utf8(descriptor(method)));
        out.writeShort(1);
        out.writeShort(utf8("Code"));
        out.writeInt(12 + codeBytes.size());
        out.writeShort(3);
        out.writeShort(locals);
        out.writeInt(codeBytes.size());
        codeBytes.writeTo(out);
        out.writeShort(0);
        out.writeShort(0);
    }

    private void give(DataOutputStream code, Class<?> result) throws IOException {
        Class<?> box = MethodType.methodType(result).wrap().returnType();
        code.writeByte(0xc0);
        code.writeShort(classOf(Rules.internal(box)));
        if (result.isPrimitive()) {
            String name = result.getName() + "Value";
            code.writeByte(0xb6);
            code.writeShort(member(10, Rules.internal(box), name, "()" + result.descriptorString()));
        }
        int type = result == long.class ? 1 : result == float.class ? 2 : result == double.class ? 3 : result.isPrimitive() ? 0 : 4;
        code.writeByte(0xac + type);
    }

    private int constant(String key, IOAction write) throws IOException {
        Integer known = constants.get(key);
        if (known != null) return known;
        write.run();
        constants.put(key, size);
        return size++;
    }

    private interface IOAction {
        void run() throws IOException;
    }

    private int utf8(String text) throws IOException {
        return constant("u" + text, () -> {
            pool.writeByte(1);
            pool.writeUTF(text);
        });
    }

    private int refer(int tag, String key, int... parts) throws IOException {
        return constant(tag + key, () -> {
            pool.writeByte(tag);
            for (int part : parts) pool.writeShort(part);
        });
    }

    private int classOf(String internal) throws IOException {
        return refer(7, internal, utf8(internal));
    }

    private int string(String text) throws IOException {
        return refer(8, text, utf8(text));
    }

    private int member(int tag, String owner, String name, String descriptor) throws IOException {
        int pair = refer(12, name + " " + descriptor, utf8(name), utf8(descriptor));
        return refer(tag, owner + " " + name + " " + descriptor, classOf(owner), pair);
    }
}
