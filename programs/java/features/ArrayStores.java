package features;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Copies between arrays of different classes: up to the first element that does not fit. */
public final class ArrayStores {
    private ArrayStores() {
    }

    private static String show(Object[] array) {
        String text = "";
        for (Object element : array) {
            text += element instanceof Integer number ? "i" + number : element instanceof String string ? "s" + string : "-";
        }
        return text;
    }

    public static String copy(Object a, Object b, Object c, int at, int count) {
        Object[] from = {a, b, c};
        Integer[] to = {1, 2, 3, 4};
        try {
            System.arraycopy(from, 0, to, at, count);
        } catch (ArrayStoreException e) {
            return "misfit " + show(to);
        } catch (IndexOutOfBoundsException e) {
            return "outside " + show(to);
        }
        return show(to);
    }

    public static String intoStrings(Object a, String b, boolean strings) {
        Object[] from = strings ? new String[] {b, "x"} : new Object[] {b, a};
        String[] to = new String[2];
        try {
            System.arraycopy(from, 0, to, 0, 2);
        } catch (ArrayStoreException e) {
            return "misfit " + show(to);
        }
        return show(to);
    }

    public static String kinds(int what) {
        Object from = switch (what & 3) {
            case 0 -> new int[] {7};
            case 1 -> new Integer[] {7};
            case 2 -> new long[] {7};
            default -> "no array";
        };
        int[] ints = new int[1];
        Object[] objects = new Object[1];
        String text = "";
        try {
            System.arraycopy(from, 0, ints, 0, 1);
            text += "int " + ints[0];
        } catch (ArrayStoreException e) {
            text += "no int";
        }
        try {
            System.arraycopy(from, 0, objects, 0, 1);
            text += ", " + show(objects);
        } catch (ArrayStoreException e) {
            text += ", no object";
        }
        return text;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static String toArray(Object a, Object b) {
        List list = new ArrayList();
        list.add(a);
        list.add(b);
        try {
            return show(list.toArray(new Integer[0]));
        } catch (ArrayStoreException e) {
            return "misfit";
        }
    }

    public static String copyOf(Object a, Object b) {
        Object[] from = {a, b};
        try {
            return show(Arrays.copyOf(from, 3, Integer[].class));
        } catch (ArrayStoreException e) {
            return "misfit";
        }
    }
}
