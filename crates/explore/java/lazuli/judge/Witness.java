package lazuli.judge;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;

/** The inputs of one call: builds them as they are described, without constructors, and calls the method. */
final class Witness {
    /** Stands for the result among the numbers of arguments. */
    private static final int RESULT = -1;

    private final Request request;
    private final ProgramLoader loader;
    private final Object[] objects;
    /** How many inputs of a name the program has asked for. */
    private final Map<String, Integer> asked = new HashMap<>();
    private int answered;
    private String wrong;
    private Object[] arguments;
    private MethodHandle method;

    /** A field of an object, where the machine has it. */
    record Slot(long offset, Class<?> type) {}

    Witness(Request request, ProgramLoader loader) {
        this.request = request;
        this.loader = loader;
        this.objects = new Object[request.objects.length];
    }

    Object[] objects() {
        return objects;
    }

    /** What the program did that the witness does not allow, if so. */
    String wrong() {
        return wrong;
    }

    void build() throws Exception {
        loader.source = this::give;
        for (int i = 0; i < objects.length; i++) objects[i] = allocate(request.objects[i]);
        for (int i = 0; i < objects.length; i++) fill(objects[i], request.objects[i]);
        for (Request.Named entry : request.statics) {
            Field field = loader.type(entry.owner()).getDeclaredField(entry.name());
            Memory.putStatic(field, entry.value().bits(), reference(entry.value()));
        }
        method = method(request.method);
        MethodType type = method.type();
        if (type.parameterCount() != request.arguments.length) throw new Impossible("the method has other parameters");
        arguments = new Object[request.arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> parameter = type.parameterType(i);
            Request.Value value = request.arguments[i];
            arguments[i] = parameter.isPrimitive()
                ? Memory.boxed(parameter.descriptorString().charAt(0), value.bits())
                : reference(value);
        }
    }

    Object call() throws Throwable {
        return method.invokeWithArguments(arguments);
    }

    /** Whether what must be true after the call is true. What throws is not. */
    boolean holds(Object result) throws Exception {
        if (request.post == null) return true;
        MethodHandle post = method(request.post);
        Object[] given = new Object[request.given.length];
        for (int i = 0; i < given.length; i++) {
            given[i] = request.given[i] == RESULT ? result : arguments[request.given[i]];
        }
        try {
            return (boolean) post.invokeWithArguments(given);
        } catch (Throwable thrown) {
            return false;
        }
    }

    private Object allocate(Request.ObjectOf object) throws Exception {
        if (object.kind() >= Request.HELD) return existing(object);
        Class<?> type = loader.type(object.type());
        if (object.kind() == Request.ARRAY) return Array.newInstance(type.getComponentType(), object.length());
        if (type == Class.class || type.isEnum() || Enum.class.isAssignableFrom(type)) {
            throw new Impossible("no program makes another object of " + type.getName());
        }
        Object made = Memory.allocate(type);
        // A string that nobody looks at has no text; one of the machine has.
        if (made instanceof String) Memory.putReference(made, slot("java/lang/String", "value").offset(), new byte[0]);
        return made;
    }

    /** An object that exists before the call. */
    private Object existing(Request.ObjectOf object) throws Exception {
        if (object.kind() == Request.CLASS) return classNamed(object.type());
        if (object.kind() == Request.LITERAL) {
            char[] units = new char[object.elements().length];
            for (int i = 0; i < units.length; i++) units[i] = (char) object.elements()[i].bits();
            return new String(units).intern();
        }
        if (object.kind() == Request.BOXED) {
            Class<?> primitive = MethodType.methodType(loader.type(object.type())).unwrap().returnType();
            return Memory.boxed(primitive.descriptorString().charAt(0), object.fields()[0].value().bits());
        }
        Object held = Memory.getStatic(loader.type(object.type()).getDeclaredField(object.name()));
        for (Request.Named step : object.fields()) {
            held = step.owner().isEmpty()
                ? Array.get(held, Integer.parseInt(step.name()))
                : Memory.reference(held, slot(step.owner(), step.name()).offset());
        }
        return held;
    }

    private Class<?> classNamed(String name) {
        for (Class<?> primitive : Memory.PRIMITIVES) {
            if (primitive.getName().equals(name)) return primitive;
        }
        return loader.type(name);
    }

    private void fill(Object object, Request.ObjectOf from) throws Exception {
        if (from.kind() >= Request.HELD) return;
        for (Request.Named field : from.fields()) {
            Slot slot = slot(field.owner(), field.name());
            Request.Value value = field.value();
            if (slot.type().isPrimitive()) {
                Memory.putBits(object, slot.offset(), slot.type(), value.bits());
            } else {
                Object held = reference(value);
                if (held != null && !slot.type().isInstance(held)) {
                    throw new Impossible(field.name() + " cannot hold an object of " + held.getClass().getName());
                }
                Memory.putReference(object, slot.offset(), held);
            }
        }
        if (from.elements().length == 0) return;
        Class<?> element = object.getClass().getComponentType();
        for (int i = 0; i < from.elements().length; i++) {
            Request.Value value = from.elements()[i];
            Object held = element.isPrimitive()
                ? Memory.boxed(element.descriptorString().charAt(0), value.bits())
                : reference(value);
            Array.set(object, from.indices()[i], held);
        }
    }

    private Slot slot(String owner, String name) throws Exception {
        String key = owner + "." + name;
        Object known = loader.members.get(key);
        if (known == null) {
            Field field = loader.type(owner).getDeclaredField(name);
            known = new Slot(Memory.offset(field), field.getType());
            loader.members.put(key, known);
        }
        return (Slot) known;
    }

    private Object reference(Request.Value value) {
        return value.kind() == Request.Value.REFERENCE ? objects[(int) value.bits()] : null;
    }

    private MethodHandle method(Request.Method wanted) throws Exception {
        String key = wanted.owner() + "." + wanted.name() + wanted.descriptor();
        Object known = loader.members.get(key);
        if (known == null) {
            Class<?> owner = loader.type(wanted.owner());
            MethodType type = MethodType.fromMethodDescriptorString(wanted.descriptor(), loader);
            known = switch (wanted.kind()) {
                case Request.STATIC -> Memory.LOOKUP.findStatic(owner, wanted.name(), type);
                case Request.CONSTRUCTOR -> Memory.LOOKUP.findConstructor(owner, type);
                // Where a contract is asked first, the receiver may be of a class that overrides the method.
                default -> Memory.LOOKUP.findVirtual(owner, wanted.name(), type);
            };
            known = ((MethodHandle) known).asFixedArity();
            loader.members.put(key, known);
        }
        return (MethodHandle) known;
    }

    /** What the program asks for in the middle of the run: an input by its type and name, or what a method gives that nobody implements. */
    private Object give(String kind, Object what) {
        switch (kind) {
            case "assume":
                wrong = "the witness breaks an assumption";
                throw new Impossible(wrong);
            case "isResolved":
                wrong = "whether a field has been looked at is no question for a JVM";
                throw new Impossible(wrong);
            case "answer":
                return answer((String) what);
            default:
                return input(kind.charAt(0), (String) what);
        }
    }

    private Object input(char type, String name) {
        int number = asked.merge(name, 1, Integer::sum);
        String key = number == 1 ? name : name + "#" + number;
        for (Request.Named input : request.inputs) if (input.name().equals(key)) return value(type, input.value());
        return type == 'L' ? null : Memory.boxed(type, 0);
    }

    /** The method's name, a blank, and the type of its result. */
    private Object answer(String call) {
        String name = call.substring(0, call.indexOf(' '));
        char type = call.charAt(call.indexOf(' ') + 1);
        if (answered == request.answers.length || !request.answers[answered].name().equals(name)) {
            wrong = "it calls " + name + ", and the trace does not";
            throw new Impossible(wrong);
        }
        return value(type, request.answers[answered++].value());
    }

    private Object value(char type, Request.Value value) {
        return type == 'L' || type == '[' ? reference(value) : Memory.boxed(type, value.bits());
    }
}
