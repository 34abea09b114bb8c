import org.sosy_lab.sv_benchmarks.Verifier;

/** Test drivers whose paths make inputs of different types. Those of a method {@code …Fails} violate an assert, others do not. */
public class Unknowns {
    public static void sameNumberFails() {
        if (Verifier.nondetBoolean()) {
            int i = Verifier.nondetInt();
            assert i == (byte) i;
        } else {
            byte b = Verifier.nondetByte();
            if (b > 3) return;
        }
    }
    public static void byteFirstFails() {
        if (Verifier.nondetBoolean()) {
            byte b = Verifier.nondetByte();
            if (b > 3) return;
        }
        int i = Verifier.nondetInt();
        assert i != 1_000_000;
    }
    public static void longFails() { long x = Verifier.nondetLong(); assert x != 5; }
    public static void wideFails() { long x = Verifier.nondetLong(); assert x <= Integer.MAX_VALUE; }
    public static void narrow() {
        short s = Verifier.nondetShort();
        char c = Verifier.nondetChar();
        byte b = Verifier.nondetByte();
        assert s == (short) s && c >= 0 && b == (byte) b;
    }
    public static void charFails() { char c = Verifier.nondetChar(); assert c < 40_000; }
    public static void shortFails() { short s = Verifier.nondetShort(); assert s > -40 || s == -7; }
    public static void charOrShortFails() {
        if (Verifier.nondetBoolean()) {
            char c = Verifier.nondetChar();
            if (c > 60_000) assert false;
        } else {
            short s = Verifier.nondetShort();
            assert s != -1;
        }
    }
    public static void booleanOrInt() {
        if (Verifier.nondetBoolean()) {
            int i = Verifier.nondetInt();
            if (i > 3) return;
        } else if (Verifier.nondetBoolean()) {
            return;
        }
    }
    public static void intOrBoolean() {
        if (Verifier.nondetBoolean()) {
            boolean b = Verifier.nondetBoolean();
            if (b) return;
        } else {
            int i = Verifier.nondetInt();
            if (i > 3) return;
        }
    }
    public static void floatOrIntFails() {
        if (Verifier.nondetBoolean()) {
            float f = Verifier.nondetFloat();
            if (f > 3) return;
        } else {
            int i = Verifier.nondetInt();
            assert i <= 3;
        }
    }
    public static void doubleOrLongFails() {
        if (Verifier.nondetBoolean()) {
            double d = Verifier.nondetDouble();
            assert d == d;
        } else {
            long l = Verifier.nondetLong();
            if (l > 3) return;
        }
    }
    public static void stringOrIntFails() {
        if (Verifier.nondetBoolean()) {
            int i = Verifier.nondetInt();
            if (i != 7) return;
        } else {
            String s = Verifier.nondetString();
            assert s.length() != 1;
        }
    }
    public static void stringIsNotNull() { assert Verifier.nondetString() != null; }
    public static void stringsAreNew() { assert Verifier.nondetString() != Verifier.nondetString(); }
    public static void stringsAreEqualFails() { assert !Verifier.nondetString().equals(Verifier.nondetString()); }
    public static void textFails() {
        String s = Verifier.nondetString();
        Verifier.assume(s.length() == 2);
        assert s.charAt(0) != 'o' || s.charAt(1) != 'k';
    }
    public static void manyFails() {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += Verifier.nondetBoolean() ? Verifier.nondetByte() : Verifier.nondetChar();
        }
        assert sum != 200_000 - 4_000;
    }
}
