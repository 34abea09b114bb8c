package use;

import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import parts.Part;

/** Every method uses something of {@code parts} that has changed since. */
public class Use {
    // Static and not static.
    public static int staticCall(int x) { return Part.count(x) > 3 ? 1 : 2; }
    public static int call(int x) { return new Part().scale(x) > 3 ? 1 : 2; }
    public static int callOfInput(Part part, int x) { return part.scale(x) > 3 ? 1 : 2; }
    public static int staticRead() { return Part.total; }
    public static int staticWrite(int x) { Part.total = x; return 1; }
    public static int read(Part part) { return part.weight > 3 ? 1 : 2; }
    public static int write(Part part) { part.weight = 3; return 1; }

    // Missing.
    public static int method(Part part, int x) { return part.removed(x); }
    public static int field(Part part) { return part.dropped; }
    public static int fieldWritten(Part part) { part.dropped = 1; return 1; }
    public static int staticField() { return Part.cleared; }
    public static int fieldOfAnotherType(Part part) { part.widened = 4; return part.widened; }
    public static long resultOfAnotherType(Part part, int x) { return part.answer(x); }
    public static int parameterOfAnotherType(Part part, int x) { return part.takes(x); }
    public static Object constructor(int x) { return new Part.Numbered(x); }

    // Not for everybody.
    public static int privateStatic(int x) { return Part.hidden(x); }
    public static int privateMethod(Part part, int x) { return part.secret(x); }
    public static int privateField(Part part) { return part.own; }
    public static int privateFieldWritten(Part part) { part.own = 1; return 1; }
    public static Object privateConstructor() { return new Part.Closed(); }
    public static int protectedMethod(Part part, int x) { return part.guarded(x); }
    public static int ofItsPackage(Part part, int x) { return part.within(x); }
    public static int classOfItsPackage() { return new Part.Visible().look(); }
    public static int finalField(Part part) { part.fixed = 2; return 1; }
    public static int finalStatic() { Part.frozen = 2; return 1; }
    public static int finalRead(Part part) { return part.fixed; }

    /** A class below may use what is protected, on objects of its own. */
    public static class Below extends Part {
        int own(int x) { return guarded(x); }
    }
    public static int inherited(int x) { return new Below().own(x); }

    // Classes and interfaces.
    public static int callOnInterface(Part.Shape shape) { return shape.area(); }
    public static int staticOfInterface() { return Part.Shape.unit(); }
    public static Object newInterface() { return new Part.Shape(); }
    public static int castToInterface(Object shape) { return ((Part.Shape) shape) == null ? 1 : 2; }
    public static int callOnClass(Part.Sink sink, int x) { return sink.take(x); }
    public static int staticOfClass() { return Part.Sink.size(); }
    public static int noLongerImplements(int x) { Part.Sink sink = new Part.Bucket(); return sink.take(x); }
    public static int doesNotImplement() { Part.Plug plug = new Part.Plugin(); return plug.plug(); }

    // Abstract.
    public static Object newAbstract() { return new Part.Concrete(); }
    public static class Derived extends Part.Base { int above() { return super.run(); } }
    public static int abstractMethod() { return new Derived().run(); }
    public static int abstractAbove() { return new Derived().above(); }
    public static class Plugged implements Part.Plug { public int plug() { return 3; } }
    public static int newMethod() { return Part.extra(new Plugged()); }
    public static class Renewed extends Part.Plugin implements Part.Plug { }
    public static int notPublic() { Part.Plug plug = new Renewed(); return plug.plug(); }
    public static int notPublicExtra() { return Part.extra(new Renewed()); }

    // Defaults.
    public static class Both implements Part.Greets, Part.Parts { }
    public static int contradiction() { return new Both().greet(); }
    public static int contradictionThroughOne() { Part.Greets it = new Both(); return it.greet(); }
    public interface Decides extends Part.Greets, Part.Parts { default int greet() { return 3; } }
    public static class Decided extends Both implements Decides { }
    public static int decided() { return new Decided().greet(); }

    // Above.
    public static class Lowest extends Part.Low { public int level() { return 100 + super.level(); } }
    public static int levels() { return new Lowest().level(); }

    // Methods that are only for their package are not overridden elsewhere.
    public static class Elsewhere extends Part.Local { int name() { return 2; } public int mine() { return name(); } }
    public static int notOverridden() { return Part.Local.ask(new Elsewhere()); }
    public static int ownOfTheSameName() { return new Elsewhere().mine(); }

    // References to methods.
    public static int staticReference(int x) { IntUnaryOperator f = Part::count; return f.applyAsInt(x); }
    public static int reference(int x) { IntUnaryOperator f = new Part()::scale; return f.applyAsInt(x); }
    public static int missingReference(int x) { IntUnaryOperator f = new Part()::removed; return f.applyAsInt(x); }
    public static int privateReference(int x) { IntUnaryOperator f = Part::hidden; return f.applyAsInt(x); }
    public static Object constructorReference() { Supplier<Object> f = Part.Closed::new; return f.get(); }
    public static Object abstractReference() { Supplier<Object> f = Part.Concrete::new; return f.get(); }
    public static int interfaceReference() { IntSupplier f = new Part.Round()::area; return f.getAsInt(); }
    public static int notCalled(boolean b) { if (b) { IntUnaryOperator f = Part::count; } return 1; }

    // Errors are thrown where they happen, and can be caught.
    public static int caught(int x) {
        try {
            return Part.count(x) > 3 ? 1 : 2;
        } catch (IncompatibleClassChangeError e) {
            return 7;
        }
    }
    public static int notThisOne(Part part, int x) {
        try {
            return part.removed(x);
        } catch (AbstractMethodError e) {
            return 8;
        } finally {
            Seen.it = 1;
        }
    }
    public static class Seen { public static int it; }
    public static int onlyWhereUsed(int x) { return x > 3 ? Part.count(x) : x; }
    public static int twice(int x) {
        int failures = 0;
        for (int i = 0; i < 2; i++) {
            try {
                failures += Part.count(x);
            } catch (LinkageError e) {
                failures += 10;
            }
        }
        return failures;
    }
    public static int nullIsNotSeen() { Part part = null; return part.removed(1); }
    public static boolean thrown() {
        try {
            Part.count(1);
            return false;
        } catch (LinkageError e) {
            return e.getClass() == IncompatibleClassChangeError.class;
        }
    }
}
