package lazuli.judge;

import java.io.DataInputStream;
import java.io.IOException;

/** A witness and the method that it is for, as it was sent. */
final class Request {
    static final int STATIC = 0;
    static final int INSTANCE = 1;
    static final int CONSTRUCTOR = 2;

    static final int OBJECT = 0;
    static final int ARRAY = 1;
    static final int HELD = 2;
    static final int BOXED = 3;
    static final int LITERAL = 4;
    static final int CLASS = 5;

    boolean fresh;
    Method method;
    /** What must be true after the call, or null; and the numbers of the arguments that it is given, of which one stands for the result. */
    Method post;
    int[] given;
    ObjectOf[] objects;
    Value[] arguments;
    Named[] statics;
    Named[] inputs;
    Named[] answers;

    /** A method, by its kind and its names. */
    record Method(int kind, String owner, String name, String descriptor) {}

    /** A number by its bits, an object by its number, or null. */
    record Value(int kind, long bits) {
        static final int NULL = 0;
        static final int REFERENCE = 1;
        static final int NUMBER = 2;
    }

    /** A value with a name, and the class that declares it. */
    record Named(String owner, String name, Value value) {}

    /**
     * An object: its class, and what is in it. One that a static field holds has the field's owner and name, and the fields and
     * elements that lead from there to it; a cached box has its value as its only field, a literal its units as elements;
     * the object of a class has nothing but the class.
     */
    record ObjectOf(int kind, String type, String name, int length, Named[] fields, int[] indices, Value[] elements) {}

    static Request read(DataInputStream in) throws IOException {
        Request request = new Request();
        request.fresh = in.readBoolean();
        request.method = method(in);
        if (in.readBoolean()) {
            request.post = method(in);
            request.given = new int[in.readInt()];
            for (int i = 0; i < request.given.length; i++) request.given[i] = in.readInt();
        }
        request.objects = new ObjectOf[in.readInt()];
        for (int i = 0; i < request.objects.length; i++) request.objects[i] = object(in);
        request.arguments = new Value[in.readInt()];
        for (int i = 0; i < request.arguments.length; i++) request.arguments[i] = value(in);
        request.statics = named(in);
        request.inputs = named(in);
        request.answers = named(in);
        return request;
    }

    private static Method method(DataInputStream in) throws IOException {
        return new Method(in.readByte(), Judge.text(in), Judge.text(in), Judge.text(in));
    }

    private static ObjectOf object(DataInputStream in) throws IOException {
        int kind = in.readByte();
        String type = Judge.text(in);
        String name = Judge.text(in);
        int length = in.readInt();
        Named[] fields = named(in);
        int[] indices = new int[in.readInt()];
        Value[] elements = new Value[indices.length];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = in.readInt();
            elements[i] = value(in);
        }
        return new ObjectOf(kind, type, name, length, fields, indices, elements);
    }

    private static Named[] named(DataInputStream in) throws IOException {
        Named[] all = new Named[in.readInt()];
        for (int i = 0; i < all.length; i++) all[i] = new Named(Judge.text(in), Judge.text(in), value(in));
        return all;
    }

    private static Value value(DataInputStream in) throws IOException {
        int kind = in.readByte();
        return new Value(kind, kind == Value.NULL ? 0 : in.readLong());
    }
}
