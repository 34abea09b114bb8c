import lazuli.Lazuli;
import org.sosy_lab.sv_benchmarks.Verifier;

/** Test drivers: inputs that the program asks for, and assumptions about them. */
class Driver {
    static int counter;

    static class Box {
        int value;
    }

    /** Two paths, on each of which the assertion can fail. */
    static void ownInterface() {
        int n = Lazuli.symbolicInt("n");
        Lazuli.assume(n > 10 && n < 20);
        Box box = Lazuli.symbolicObject(Box.class, "box");
        Lazuli.assume(box != null);
        if (box.value == n) {
            Lazuli.reachable("equal");
        }
        assert box.value != 15;
    }

    /** Twice a number above 100 is not above 200 if it overflows. */
    static void competition() {
        int x = Verifier.nondetInt();
        Verifier.assume(x > 100);
        assert x * 2 > 200;
    }

    /** Depends on static state. */
    static boolean many() {
        return counter > 3;
    }
}
