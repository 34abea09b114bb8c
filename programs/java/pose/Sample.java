package pose;

/**
 * The three methods of Figure 1 of "Path-optimal symbolic execution". The receiver is an input that is not null; there is one
 * variant for all columns of Table 1.
 */
public class Sample {
    Object data;
    int val;
    Sample s0;
    Sample s1;
    Sample s2;
    Sample next;

    /** Figure 1 (a): swapping the data of two objects. */
    void swap(Sample s) {
        if (s != null) {
            Object d = this.data;
            this.data = s.data;
            s.data = d;
        }
    }

    /** Figure 1 (b): adding up the values of four nodes. There is no branch, hence one path that returns. */
    int sum() {
        return this.val + this.s0.val + this.s1.val + this.s2.val;
    }

    /** Figure 1 (c): is there a null within the next max nodes? */
    boolean hasNull(int max) {
        Sample s = this.next;
        int i = 1;
        while (s != null) {
            if (i > max) {
                return false;
            }
            s = s.next;
            i++;
        }
        return true;
    }

    boolean hasNullWithin4() {
        return hasNull(4);
    }

    boolean hasNullWithin10() {
        return hasNull(10);
    }
}
