package harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Calls methods on the real JVM: one request a line on the standard input, one answer a line on the standard output. It is what
 * symbolic execution is compared with, and what confirms its witnesses.
 *
 * <pre>
 * java -ea -XX:-ShowCodeDetailsInExceptionMessages harness.RunOnJvm --cp DIR[:DIR…] [--time MS] [--shared]
 * java harness.RunOnJvm --cp DIR --list [PACKAGE…]       prints targets, one a line: the public static methods
 * </pre>
 *
 * The classes below {@code --cp} are loaded anew for every line, so that no static state is left over; {@code --shared} loads them
 * once, which is faster. The other classes, such as the JDK's, are shared always. Asserts are enabled. No {@code --add-opens} is needed.
 *
 * <h2>Requests</h2>
 *
 * Parts are separated by blanks; there are no blanks inside a part, except in strings. Class names have dots, and {@code $} for
 * nested classes. Lines that are empty or begin with {@code //} are passed over without an answer.
 *
 * <pre>
 * line    := { "after" | "virtual" } { heap } target { value }
 * heap    := "#" N "=" CLASS "{" [ field { "," field } ] "}"      an object, made without a constructor; other fields are 0 or null
 *          | "#" N "=" TYPE "[]" { "[]" } "{" [ value { "," value } ] "}"              an array, all of its cells
 *          | "#" N "=" TYPE "[" LENGTH "]" { "[]" } "{" [ cell { "," cell } ] "}"      an array, some of its cells
 *          | "#" N "=" STRING                                     a string that is no constant's object
 *          | "@" CLASS "{" [ field { "," field } ] "}"            static fields, after the class has been initialised
 * field   := [ CLASS "::" ] NAME "=" value                        CLASS, where a superclass has a field of the same name
 * cell    := INDEX ":" value
 * target  := CLASS "." METHOD DESCRIPTOR                          DESCRIPTOR as in class files, such as (I[JLjava/lang/Object;)V
 * value   := INTEGER                  byte, short, int, char (its number)
 *          | INTEGER "L"              long
 *          | "f:" 8 hex digits        float, by its bits
 *          | "d:" 16 hex digits       double, by its bits
 *          | "true" | "false" | "null"
 *          | STRING                   "…" with \" \\ \n \r \t and \\uXXXX; it is the interned object
 *          | "[" [ value { "," value } ] "]"       a new array of the declared type
 *          | "#" N                    an object of this line; all mentions of one number are one object, in any order
 *          | "@" CLASS "." NAME       what a static field holds, for example an enum constant
 *          | "class:" TYPE            a class object
 *          | BOX "(" value ")"        BOX.valueOf, such as java.lang.Integer(5)
 * </pre>
 *
 * The first value of an instance method is its receiver. The method that is named is called, even where the receiver's class
 * overrides it; with {@code virtual}, or where it is abstract, the receiver's. A constructor is {@code CLASS.<init>(…)V} without
 * a receiver; it answers with the new object.
 *
 * <h2>Answers</h2>
 *
 * <pre>
 * returned VALUE           as above; NaN has the canonical bits, void is "void", an object of the request is "#N", another one is
 *                          "new CLASS", an enum constant is "@CLASS.NAME", an array has its cells unless it is an object of the request
 * threw CLASS MESSAGE      MESSAGE is a STRING, or "-" where there is none and for errors of the machine (their messages vary);
 *                          that of a ClassCastException is without what it says about class loaders
 * timeout                  after MS milliseconds, 5000 by default
 * error TEXT               the request was wrong; nothing was called
 * </pre>
 *
 * With {@code after}, {@code returned} and {@code threw} are followed by " | " and the heap as the call left it: each object of the
 * request in the order of its number, and each one that is reachable from them and from the result, numbered on, as in requests.
 */
public final class RunOnJvm {
    private RunOnJvm() {
    }

    public static void main(String[] arguments) throws Exception {
        List<Path> classPath = new ArrayList<>();
        List<String> packages = new ArrayList<>();
        long time = 5000;
        boolean shared = false;
        boolean list = false;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--cp" -> Stream.of(arguments[++i].split(java.io.File.pathSeparator)).map(Path::of).forEach(classPath::add);
                case "--time" -> time = Long.parseLong(arguments[++i]);
                case "--shared" -> shared = true;
                case "--list" -> list = true;
                default -> packages.add(arguments[i]);
            }
        }
        PrintStream answers = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        // What a method prints must not look like an answer.
        System.setOut(System.err);
        Program program = new Program(classPath);
        if (list) {
            program.list(packages, answers);
        } else {
            answer(program, shared, time, answers);
        }
        answers.flush();
        // A call that ran out of time may still be running.
        Runtime.getRuntime().halt(0);
    }

    private static void answer(Program program, boolean shared, long time, PrintStream answers) throws Exception {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        ClassLoader loader = program.loader();
        for (String line; (line = requests.readLine()) != null; ) {
            if (!line.isBlank() && !line.startsWith("//")) {
                answers.println(answer(line, shared ? loader : program.loader(), time));
            }
        }
    }

    /** Runs the request in a thread of its own, whose stack has the same size in every run. */
    private static String answer(String line, ClassLoader loader, long time) throws InterruptedException {
        String[] answer = {"timeout"};
        Thread thread = new Thread(null, () -> {
            String text;
            try {
                text = new Request(loader).run(line);
            } catch (Malformed | ReflectiveOperationException | LinkageError e) {
                text = "error " + e.toString().replace('\n', ' ');
            } catch (Throwable e) {
                text = "error in the harness: " + e.toString().replace('\n', ' ');
            }
            synchronized (answer) {
                answer[0] = text;
            }
        }, "request", 4 << 20);
        thread.setDaemon(true);
        thread.start();
        thread.join(time);
        String given;
        synchronized (answer) {
            given = answer[0];
        }
        stop(thread);
        return given;
    }

    /** Ends a call that does not end by itself. Newer JDKs cannot; there it goes on in the background. */
    private static void stop(Thread thread) {
        if (thread.isAlive()) {
            try {
                Thread.class.getMethod("stop").invoke(thread);
            } catch (ReflectiveOperationException e) {
                thread.interrupt();
            }
        }
    }

    /** A request that cannot be carried out. */
    private static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }

    // ---- classes ----

    /** The class files of the class path, read once. */
    private static final class Program {
        private final Map<String, byte[]> files = new TreeMap<>();

        Program(List<Path> classPath) throws IOException {
            for (Path directory : classPath) {
                try (Stream<Path> found = Files.walk(directory)) {
                    for (Path file : (Iterable<Path>) found.filter(f -> f.toString().endsWith(".class"))::iterator) {
                        String name = directory.relativize(file).toString().replace(java.io.File.separatorChar, '.');
                        files.putIfAbsent(name.substring(0, name.length() - ".class".length()), Files.readAllBytes(file));
                    }
                }
            }
        }

        /** The program's classes anew; it comes before the loader that loaded the harness. */
        ClassLoader loader() {
            ClassLoader loader = new ClassLoader(RunOnJvm.class.getClassLoader()) {
                @Override
                protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                    synchronized (getClassLoadingLock(name)) {
                        byte[] bytes = files.get(name);
                        if (bytes == null || findLoadedClass(name) != null) {
                            return super.loadClass(name, resolve);
                        }
                        return defineClass(name, bytes, 0, bytes.length);
                    }
                }
            };
            loader.setDefaultAssertionStatus(true);
            return loader;
        }

        void list(List<String> packages, PrintStream answers) throws ClassNotFoundException {
            ClassLoader loader = loader();
            for (String name : files.keySet()) {
                if (!packages.isEmpty() && packages.stream().noneMatch(p -> name.startsWith(p + "."))) {
                    continue;
                }
                Class<?> owner = Class.forName(name, false, loader);
                if (!Modifier.isPublic(owner.getModifiers())) {
                    continue;
                }
                Stream.of(owner.getDeclaredMethods())
                    .filter(m -> Modifier.isStatic(m.getModifiers()) && Modifier.isPublic(m.getModifiers()))
                    .map(m -> name + "." + m.getName() + descriptor(m))
                    .sorted()
                    .forEach(answers::println);
            }
        }
    }

    private static String descriptor(Executable method) {
        Class<?> returned = method instanceof Method m ? m.getReturnType() : void.class;
        return MethodType.methodType(returned, method.getParameterTypes()).toMethodDescriptorString();
    }

    // ---- one request ----

    private static final class Request {
        private final ClassLoader loader;
        /** The objects by their numbers, and what fills them. */
        private final TreeMap<Integer, Object> objects = new TreeMap<>();
        private final Map<Object, Integer> numbers = new IdentityHashMap<>();

        Request(ClassLoader loader) {
            this.loader = loader;
        }

        String run(String line) throws ReflectiveOperationException {
            List<String> parts = Text.split(line, ' ');
            boolean after = false;
            boolean virtual = false;
            while (!parts.isEmpty() && (parts.get(0).equals("after") || parts.get(0).equals("virtual"))) {
                after |= parts.get(0).equals("after");
                virtual |= parts.get(0).equals("virtual");
                parts.remove(0);
            }
            int target = 0;
            while (target < parts.size() && (parts.get(target).startsWith("#") || parts.get(target).startsWith("@"))) {
                target++;
            }
            if (target == parts.size()) {
                throw new Malformed("there is no method to call");
            }
            build(parts.subList(0, target));
            Executable method = method(parts.get(target));
            Object[] values = values(method, parts.subList(target + 1, parts.size()));
            return call(method, values, virtual, after);
        }

        private void build(List<String> heap) throws ReflectiveOperationException {
            Map<Integer, String> contents = new TreeMap<>();
            for (String part : heap) {
                if (part.startsWith("#")) {
                    int equals = part.indexOf('=');
                    if (equals < 0) {
                        throw new Malformed("#N=… is expected instead of " + part);
                    }
                    int number = Integer.parseInt(part.substring(1, equals));
                    String description = part.substring(equals + 1);
                    Object made = allocate(description);
                    if (objects.put(number, made) != null) {
                        throw new Malformed("there are two objects #" + number);
                    }
                    numbers.put(made, number);
                    contents.put(number, description);
                }
            }
            for (Map.Entry<Integer, String> entry : contents.entrySet()) {
                fill(objects.get(entry.getKey()), entry.getValue());
            }
            for (String part : heap) {
                if (part.startsWith("@")) {
                    Class<?> owner = Class.forName(part.substring(1, brace(part)), true, loader);
                    for (String field : body(part)) {
                        setField(null, owner, field);
                    }
                }
            }
        }

        /** Where the description's contents begin. */
        private static int brace(String description) {
            int brace = description.indexOf('{');
            if (brace < 0 || !description.endsWith("}")) {
                throw new Malformed("{…} is missing in " + description);
            }
            return brace;
        }

        private static List<String> body(String description) {
            return Text.split(description.substring(brace(description) + 1, description.length() - 1), ',');
        }

        /** The object itself, with empty fields and cells. */
        private Object allocate(String description) throws ReflectiveOperationException {
            if (description.startsWith("\"")) {
                return new String(Text.unquote(description).toCharArray());
            }
            String name = description.substring(0, brace(description));
            int bracket = name.indexOf('[');
            if (bracket < 0) {
                return Unsafe.allocate(Class.forName(name, true, loader));
            }
            int close = name.indexOf(']');
            String length = name.substring(bracket + 1, close);
            Class<?> element = type(name.substring(0, bracket) + name.substring(close + 1));
            return Array.newInstance(element, length.isEmpty() ? body(description).size() : Integer.parseInt(length));
        }

        private void fill(Object object, String description) throws ReflectiveOperationException {
            if (description.startsWith("\"")) {
                return;
            }
            if (!object.getClass().isArray()) {
                for (String field : body(description)) {
                    setField(object, object.getClass(), field);
                }
                return;
            }
            boolean dense = description.charAt(description.indexOf('[') + 1) == ']';
            int index = 0;
            for (String cell : body(description)) {
                String value = cell;
                if (!dense) {
                    int colon = cell.indexOf(':');
                    index = Integer.parseInt(cell.substring(0, colon));
                    value = cell.substring(colon + 1);
                }
                setCell(object, index++, value(value, object.getClass().getComponentType()));
            }
        }

        private static void setCell(Object array, int index, Object value) {
            try {
                Array.set(array, index, value);
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                throw new Malformed("cell " + index + " of " + array.getClass().getTypeName() + " cannot hold it");
            }
        }

        private void setField(Object object, Class<?> from, String text) throws ReflectiveOperationException {
            int equals = text.indexOf('=');
            if (equals < 0) {
                throw new Malformed("NAME=… is expected instead of " + text);
            }
            String name = text.substring(0, equals);
            Class<?> owner = from;
            int colons = name.indexOf("::");
            if (colons >= 0) {
                owner = type(name.substring(0, colons));
                name = name.substring(colons + 2);
            }
            Field field = field(owner, name, object == null);
            Unsafe.put(object, field, value(text.substring(equals + 1), field.getType()));
        }

        private static Field field(Class<?> from, String name, boolean isStatic) {
            for (Class<?> owner = from; owner != null; owner = owner.getSuperclass()) {
                for (Field field : owner.getDeclaredFields()) {
                    if (field.getName().equals(name) && Modifier.isStatic(field.getModifiers()) == isStatic) {
                        return field;
                    }
                }
            }
            throw new Malformed(from.getName() + " has no " + (isStatic ? "static " : "") + "field " + name);
        }

        private Executable method(String target) throws ReflectiveOperationException {
            int parenthesis = target.indexOf('(');
            int dot = target.lastIndexOf('.', parenthesis);
            if (parenthesis < 0 || dot < 0) {
                throw new Malformed("CLASS.METHOD(…)… is expected instead of " + target);
            }
            Class<?> owner = Class.forName(target.substring(0, dot), false, loader);
            String name = target.substring(dot + 1, parenthesis);
            String descriptor = target.substring(parenthesis);
            Executable[] candidates = name.equals("<init>") ? owner.getDeclaredConstructors() : owner.getDeclaredMethods();
            for (Executable method : candidates) {
                if ((method instanceof Constructor || method.getName().equals(name)) && descriptor(method).equals(descriptor)) {
                    return method;
                }
            }
            throw new Malformed(owner.getName() + " has no method " + name + descriptor);
        }

        /** The arguments, after the receiver if there is one. */
        private Object[] values(Executable method, List<String> texts) throws ReflectiveOperationException {
            List<Class<?>> types = new ArrayList<>(Arrays.asList(method.getParameterTypes()));
            if (method instanceof Method && !Modifier.isStatic(method.getModifiers())) {
                types.add(0, method.getDeclaringClass());
            }
            if (types.size() != texts.size()) {
                throw new Malformed(types.size() + " values are expected, there are " + texts.size());
            }
            Object[] values = new Object[texts.size()];
            for (int i = 0; i < values.length; i++) {
                Class<?> type = types.get(i);
                values[i] = value(texts.get(i), type);
                if (!type.isPrimitive() && values[i] != null && !type.isInstance(values[i])) {
                    throw new Malformed(texts.get(i) + " is no " + type.getTypeName());
                }
            }
            return values;
        }

        private Object value(String text, Class<?> type) throws ReflectiveOperationException {
            try {
                return type.isPrimitive() ? Text.primitive(text, type) : reference(text, type);
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                throw new Malformed(text + " is no " + type.getTypeName());
            }
        }

        private Object reference(String text, Class<?> type) throws ReflectiveOperationException {
            if (text.equals("null")) {
                return null;
            } else if (text.startsWith("\"")) {
                return Text.unquote(text).intern();
            } else if (text.startsWith("#")) {
                Object object = objects.get(Integer.parseInt(text.substring(1)));
                if (object == null) {
                    throw new Malformed("there is no object " + text);
                }
                return object;
            } else if (text.startsWith("@")) {
                int dot = text.lastIndexOf('.');
                Class<?> owner = Class.forName(text.substring(1, dot), true, loader);
                return Unsafe.get(null, field(owner, text.substring(dot + 1), true));
            } else if (text.startsWith("class:")) {
                return type(text.substring("class:".length()));
            } else if (text.startsWith("[") && type.isArray()) {
                List<String> cells = Text.split(text.substring(1, text.length() - 1), ',');
                Object array = Array.newInstance(type.getComponentType(), cells.size());
                for (int i = 0; i < cells.size(); i++) {
                    setCell(array, i, value(cells.get(i), type.getComponentType()));
                }
                return array;
            } else if (text.endsWith(")")) {
                int parenthesis = text.indexOf('(');
                return Text.primitive(text.substring(parenthesis + 1, text.length() - 1),
                    MethodType.methodType(type(text.substring(0, parenthesis))).unwrap().returnType());
            }
            throw new Malformed(text + " is no " + type.getTypeName());
        }

        private Class<?> type(String name) throws ClassNotFoundException {
            if (name.endsWith("[]")) {
                return type(name.substring(0, name.length() - 2)).arrayType();
            }
            Class<?> primitive = PRIMITIVES.get(name);
            return primitive != null ? primitive : Class.forName(name, false, loader);
        }

        private String call(Executable method, Object[] values, boolean virtual, boolean after) throws ReflectiveOperationException {
            MethodHandle handle;
            if (method instanceof Constructor<?> constructor) {
                handle = Unsafe.LOOKUP.unreflectConstructor(constructor);
            } else if (virtual || (method.getModifiers() & (Modifier.STATIC | Modifier.ABSTRACT)) != 0) {
                handle = Unsafe.LOOKUP.unreflect((Method) method);
            } else {
                handle = Unsafe.LOOKUP.unreflectSpecial((Method) method, method.getDeclaringClass());
            }
            Object result = null;
            String outcome;
            try {
                result = handle.invokeWithArguments(values);
                outcome = null;
            } catch (Throwable thrown) {
                outcome = "threw " + thrown.getClass().getName() + " " + message(thrown);
            }
            Heap heap = new Heap(objects, numbers);
            if (outcome == null) {
                Class<?> type = method instanceof Method m ? m.getReturnType() : method.getDeclaringClass();
                outcome = "returned " + (type == void.class ? "void" : heap.print(result, type.isPrimitive(), after));
            }
            return after ? outcome + " |" + heap.printAll() : outcome;
        }

        private static String message(Throwable thrown) {
            if (thrown instanceof VirtualMachineError || thrown.getMessage() == null) {
                return "-";
            }
            String message = thrown.getMessage();
            int loaders = thrown instanceof ClassCastException ? message.indexOf(" (") : -1;
            return Text.quote(loaders < 0 ? message : message.substring(0, loaders));
        }
    }

    private static final Map<String, Class<?>> PRIMITIVES = new HashMap<>();

    static {
        for (Class<?> type : List.of(boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class, double.class)) {
            PRIMITIVES.put(type.getName(), type);
        }
    }

    // ---- printing values ----

    private static final class Heap {
        private final TreeMap<Integer, Object> objects;
        private final Map<Object, Integer> numbers;

        Heap(TreeMap<Integer, Object> objects, Map<Object, Integer> numbers) {
            this.objects = objects;
            this.numbers = numbers;
        }

        /** With {@code numbering}, an object that is not known gets a number. */
        String print(Object value, boolean primitive, boolean numbering) throws ReflectiveOperationException {
            if (value == null) {
                return "null";
            } else if (primitive) {
                return Text.print(value);
            } else if (numbers.containsKey(value)) {
                return "#" + numbers.get(value);
            } else if (value instanceof String string) {
                return Text.quote(string);
            } else if (value instanceof Class<?> type) {
                return "class:" + type.getTypeName();
            } else if (value instanceof Enum<?> constant) {
                return "@" + constant.getDeclaringClass().getName() + "." + constant.name();
            } else if (MethodType.methodType(value.getClass()).unwrap().returnType().isPrimitive()) {
                return value.getClass().getName() + "(" + Text.print(value) + ")";
            } else if (numbering) {
                int number = objects.isEmpty() ? 1 : objects.lastKey() + 1;
                objects.put(number, value);
                numbers.put(value, number);
                return "#" + number;
            } else if (value.getClass().isArray()) {
                return printCells(value, "[", "]", false);
            }
            return "new " + value.getClass().getName();
        }

        private String printCells(Object array, String open, String close, boolean numbering) throws ReflectiveOperationException {
            StringBuilder text = new StringBuilder(open);
            for (int i = 0; i < Array.getLength(array); i++) {
                text.append(i == 0 ? "" : ",");
                text.append(print(Array.get(array, i), array.getClass().getComponentType().isPrimitive(), numbering));
            }
            return text.append(close).toString();
        }

        String printAll() throws ReflectiveOperationException {
            StringBuilder text = new StringBuilder();
            // The objects become more while they are printed.
            for (Integer number = objects.isEmpty() ? null : objects.firstKey(); number != null; number = objects.higherKey(number)) {
                text.append(" #").append(number).append('=').append(printObject(objects.get(number)));
            }
            return text.toString();
        }

        private String printObject(Object object) throws ReflectiveOperationException {
            if (object instanceof String string) {
                return Text.quote(string);
            } else if (object.getClass().isArray()) {
                return object.getClass().getTypeName() + printCells(object, "{", "}", true);
            }
            List<Field> fields = new ArrayList<>();
            for (Class<?> owner = object.getClass(); owner != null; owner = owner.getSuperclass()) {
                List<Field> own = new ArrayList<>(Arrays.asList(owner.getDeclaredFields()));
                own.removeIf(field -> Modifier.isStatic(field.getModifiers()));
                fields.addAll(0, own);
            }
            StringBuilder text = new StringBuilder(object.getClass().getName()).append('{');
            String separator = "";
            for (Field field : fields) {
                boolean hidden = Request.field(object.getClass(), field.getName(), false).getDeclaringClass() != field.getDeclaringClass();
                text.append(separator).append(hidden ? field.getDeclaringClass().getName() + "::" : "").append(field.getName()).append('=');
                text.append(print(Unsafe.get(object, field), field.getType().isPrimitive(), true));
                separator = ",";
            }
            return text.append('}').toString();
        }
    }

    // ---- reading and writing of primitive values and strings ----

    private static final class Text {
        /** Splits at blanks outside of strings, or at commas that are also outside of brackets; the empty text has no parts. */
        static List<String> split(String text, char separator) {
            List<String> parts = new ArrayList<>();
            int depth = 0;
            boolean quoted = false;
            int start = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (quoted) {
                    i += c == '\\' ? 1 : 0;
                    quoted = c != '"';
                } else if (c == separator && depth == 0) {
                    parts.add(text.substring(start, i));
                    start = i + 1;
                } else {
                    quoted = c == '"';
                    // A descriptor has brackets that are never closed.
                    depth += separator == ' ' ? 0 : "[{(".indexOf(c) >= 0 ? 1 : "]})".indexOf(c) >= 0 ? -1 : 0;
                }
            }
            if (start < text.length()) {
                parts.add(text.substring(start));
            }
            if (separator == ' ') {
                parts.removeIf(String::isEmpty);
            }
            return parts;
        }

        static Object primitive(String text, Class<?> type) {
            if (type == boolean.class && (text.equals("true") || text.equals("false"))) {
                return text.equals("true");
            } else if (type == byte.class) {
                return Byte.valueOf(text);
            } else if (type == short.class) {
                return Short.valueOf(text);
            } else if (type == char.class) {
                int code = Integer.parseInt(text);
                if (code >= 0 && code <= Character.MAX_VALUE) {
                    return (char) code;
                }
            } else if (type == int.class) {
                return Integer.valueOf(text);
            } else if (type == long.class && text.endsWith("L")) {
                return Long.valueOf(text.substring(0, text.length() - 1));
            } else if (type == float.class && text.startsWith("f:")) {
                return Float.intBitsToFloat(Integer.parseUnsignedInt(text.substring(2), 16));
            } else if (type == double.class && text.startsWith("d:")) {
                return Double.longBitsToDouble(Long.parseUnsignedLong(text.substring(2), 16));
            }
            throw new Malformed(text + " is no " + type.getTypeName());
        }

        static String print(Object box) {
            if (box instanceof Character c) {
                return Integer.toString(c);
            } else if (box instanceof Long l) {
                return l + "L";
            } else if (box instanceof Float f) {
                return String.format("f:%08x", Float.floatToIntBits(f));
            } else if (box instanceof Double d) {
                return String.format("d:%016x", Double.doubleToLongBits(d));
            }
            return box.toString();
        }

        static String unquote(String text) {
            StringBuilder string = new StringBuilder();
            int end = text.length() - 1;
            if (end < 1 || text.charAt(end) != '"') {
                throw new Malformed("a string is not closed: " + text);
            }
            for (int i = 1; i < end; i++) {
                char c = text.charAt(i);
                if (c != '\\') {
                    string.append(c);
                    continue;
                }
                c = text.charAt(++i);
                if (c == 'u') {
                    string.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
                    i += 4;
                } else {
                    int escape = "nrt".indexOf(c);
                    string.append(escape < 0 ? c : "\n\r\t".charAt(escape));
                }
            }
            return string.toString();
        }

        static String quote(String string) {
            StringBuilder text = new StringBuilder("\"");
            for (char c : string.toCharArray()) {
                int escape = "\n\r\t\"\\".indexOf(c);
                if (escape >= 0) {
                    text.append('\\').append("nrt\"\\".charAt(escape));
                } else if (c < ' ' || c > '~') {
                    text.append(String.format("\\u%04x", (int) c));
                } else {
                    text.append(c);
                }
            }
            return text.append('"').toString();
        }
    }

    // ---- objects without constructors, fields without restrictions ----

    /**
     * The JDK's internal Unsafe, reached through the lookup that may do everything. The public one refuses records and, in newer
     * versions, warns.
     */
    private static final class Unsafe {
        static final MethodHandles.Lookup LOOKUP;
        private static final Object UNSAFE;
        private static final Class<?> CLASS;

        static {
            try {
                Class<?> open = Class.forName("sun.misc.Unsafe");
                Field theUnsafe = open.getDeclaredField("theUnsafe");
                theUnsafe.setAccessible(true);
                Object unsafe = theUnsafe.get(null);
                Field lookup = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
                Object base = open.getMethod("staticFieldBase", Field.class).invoke(unsafe, lookup);
                Object offset = open.getMethod("staticFieldOffset", Field.class).invoke(unsafe, lookup);
                LOOKUP = (MethodHandles.Lookup) open.getMethod("getObject", Object.class, long.class).invoke(unsafe, base, offset);
                CLASS = Class.forName("jdk.internal.misc.Unsafe");
                UNSAFE = LOOKUP.unreflect(CLASS.getMethod("getUnsafe")).invoke();
            } catch (Throwable e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private static Object invoke(String name, Class<?>[] types, Object... values) throws ReflectiveOperationException {
            try {
                return LOOKUP.unreflect(CLASS.getMethod(name, types)).bindTo(UNSAFE).invokeWithArguments(values);
            } catch (ReflectiveOperationException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new ReflectiveOperationException(e);
            }
        }

        static Object allocate(Class<?> type) throws ReflectiveOperationException {
            return invoke("allocateInstance", new Class<?>[] {Class.class}, type);
        }

        private static String kind(Field field) {
            String name = field.getType().isPrimitive() ? field.getType().getName() : "reference";
            return Character.toUpperCase(name.charAt(0)) + name.substring(1);
        }

        private static Object place(String what, Field field) throws ReflectiveOperationException {
            return invoke(what, new Class<?>[] {Field.class}, field);
        }

        static void put(Object object, Field field, Object value) throws ReflectiveOperationException {
            Class<?> type = field.getType();
            if (!type.isPrimitive() && value != null && !type.isInstance(value)) {
                throw new Malformed("field " + field.getName() + " cannot hold a " + value.getClass().getTypeName());
            }
            Class<?>[] types = {Object.class, long.class, type.isPrimitive() ? type : Object.class};
            if (object == null) {
                invoke("put" + kind(field), types, place("staticFieldBase", field), place("staticFieldOffset", field), value);
            } else {
                invoke("put" + kind(field), types, object, place("objectFieldOffset", field), value);
            }
        }

        static Object get(Object object, Field field) throws ReflectiveOperationException {
            Class<?>[] types = {Object.class, long.class};
            if (object == null) {
                return invoke("get" + kind(field), types, place("staticFieldBase", field), place("staticFieldOffset", field));
            }
            return invoke("get" + kind(field), types, object, place("objectFieldOffset", field));
        }
    }
}
