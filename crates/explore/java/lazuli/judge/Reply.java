package lazuli.judge;

import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** What a call came to: written with the objects that can be reached from there. */
final class Reply {
    private static final int RETURNED = 0;
    private static final int THREW = 1;
    private static final int IMPOSSIBLE = 2;
    private static final int REFUSED = 3;
    private static final int POST_FAILED = 4;

    private static final int TEXT = 0;
    private static final int BOXED = 1;
    private static final int CONSTANT = 2;
    private static final int CLASS = 3;
    private static final int ARRAY = 4;
    private static final int OBJECT = 5;
    private static final int OPAQUE = 6;

    private static final int NULL = 0;
    private static final int NODE = 1;
    private static final int NUMBER = 2;
    private static final int UNKNOWN = 3;

    /** A field that is shown, where the machine has it. */
    private record Slot(String owner, String name, long offset, Class<?> type) {}

    private static final Map<Class<?>, Slot[]> SLOTS = new java.util.WeakHashMap<>();

    private final Rules rules;
    private final Program program;
    private int outcome;
    private Object result;
    private String why;
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();
    private final ArrayDeque<Object> waiting = new ArrayDeque<>();

    Reply(Rules rules, Program program) {
        this.rules = rules;
        this.program = program;
    }

    void returned(Object value) {
        outcome = RETURNED;
        result = value;
    }

    boolean hasReturned() {
        return outcome == RETURNED;
    }

    Object result() {
        return result;
    }

    void postFailed() {
        outcome = POST_FAILED;
    }

    void threw(Throwable thrown) {
        outcome = THREW;
        result = thrown;
    }

    void impossible(String reason) {
        outcome = IMPOSSIBLE;
        why = reason;
    }

    void refused(String reason) {
        outcome = REFUSED;
        why = reason;
    }

    void write(DataOutputStream out, Capture capture, Object[] inputs) throws IOException {
        out.write('A');
        out.writeByte(outcome);
        if (why != null) {
            Judge.text(out, why.length() > 2_000 ? why.substring(0, 2_000) : why);
            return;
        }
        // A box that a method returns as a number is a number: whoever compares knows the type.
        reference(out, result);
        place(out);
        List<Capture.Piece> pieces = capture.pieces();
        out.writeInt(pieces.size());
        for (Capture.Piece piece : pieces) {
            out.writeByte(piece.stream);
            out.writeInt(piece.text.size());
            piece.text.writeTo(out);
        }
        out.writeInt(inputs.length);
        for (Object input : inputs) reference(out, input);
        while (!waiting.isEmpty()) {
            out.writeByte(1);
            node(out, waiting.poll());
        }
        out.writeByte(0);
    }

    /** The topmost frame in the program's classes. */
    private void place(DataOutputStream out) throws IOException {
        if (outcome == THREW) {
            for (StackTraceElement frame : ((Throwable) result).getStackTrace()) {
                String owner = frame.getClassName().replace('.', '/');
                if (program.classes.contains(owner)) {
                    out.writeByte(1);
                    Judge.text(out, owner);
                    Judge.text(out, frame.getMethodName());
                    out.writeInt(frame.getLineNumber());
                    return;
                }
            }
        }
        out.writeByte(0);
    }

    private void reference(DataOutputStream out, Object object) throws IOException {
        if (object == null) {
            out.writeByte(NULL);
            return;
        }
        Integer number = numbers.get(object);
        if (number == null) {
            if (numbers.size() >= rules.mostNodes) {
                out.writeByte(UNKNOWN);
                return;
            }
            number = numbers.size();
            numbers.put(object, number);
            waiting.add(object);
        }
        out.writeByte(NODE);
        out.writeInt(number);
    }

    private static void number(DataOutputStream out, long bits) throws IOException {
        out.writeByte(NUMBER);
        out.writeLong(bits);
    }

    private void node(DataOutputStream out, Object object) throws IOException {
        Class<?> type = object.getClass();
        if (object instanceof String text) {
            out.writeByte(TEXT);
            out.writeInt(text.length());
            out.writeChars(text);
        } else if (Memory.unboxed(object) != null) {
            out.writeByte(BOXED);
            Judge.text(out, Rules.internal(type));
            out.writeLong(Memory.unboxed(object));
        } else if (object instanceof Enum<?> constant) {
            out.writeByte(CONSTANT);
            Judge.text(out, Rules.internal(constant.getDeclaringClass()));
            Judge.text(out, constant.name());
        } else if (object instanceof Class<?> named) {
            out.writeByte(CLASS);
            Judge.text(out, Rules.internal(named));
        } else if (type.isArray()) {
            array(out, object, type);
        } else if (type.isHidden()) {
            out.writeByte(OPAQUE);
            Judge.text(out, "");
        } else if (object instanceof Throwable || looksInto(Rules.internal(type))) {
            fields(out, object, type);
        } else {
            out.writeByte(OPAQUE);
            Judge.text(out, Rules.internal(type));
        }
    }

    private boolean looksInto(String internalName) {
        return program.classes.contains(internalName) || rules.looksInto(internalName);
    }

    private void array(DataOutputStream out, Object array, Class<?> type) throws IOException {
        out.writeByte(ARRAY);
        Judge.text(out, Rules.internal(type));
        int length = Array.getLength(array);
        out.writeInt(length);
        boolean primitive = type.getComponentType().isPrimitive();
        for (int i = 0; i < length; i++) {
            if (primitive) number(out, Memory.unboxed(Array.get(array, i)));
            else reference(out, Array.get(array, i));
        }
    }

    private void fields(DataOutputStream out, Object object, Class<?> type) throws IOException {
        Slot[] slots = SLOTS.computeIfAbsent(type, this::slots);
        out.writeByte(OBJECT);
        Judge.text(out, Rules.internal(type));
        out.writeInt(slots.length);
        for (Slot slot : slots) {
            Judge.text(out, slot.owner());
            Judge.text(out, slot.name());
            if (slot.type().isPrimitive()) number(out, Memory.bits(object, slot.offset(), slot.type()));
            else reference(out, Memory.reference(object, slot.offset()));
        }
    }

    private Slot[] slots(Class<?> type) {
        List<Slot> slots = new ArrayList<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                boolean shown = at != Throwable.class || rules.ofThrowable.contains(field.getName());
                if (Modifier.isStatic(field.getModifiers()) || !shown) continue;
                slots.add(new Slot(Rules.internal(at), field.getName(), Memory.offset(field), field.getType()));
            }
        }
        return slots.toArray(new Slot[0]);
    }
}
