package features;

/** Recursion over numbers and over structures. */
public final class Recursion {
    private Recursion() {
    }

    static final class Tree {
        final int key;
        Tree left;
        Tree right;

        Tree(int key) {
            this.key = key;
        }

        static Tree insert(Tree tree, int key) {
            if (tree == null) {
                return new Tree(key);
            }
            if (key < tree.key) {
                tree.left = insert(tree.left, key);
            } else if (key > tree.key) {
                tree.right = insert(tree.right, key);
            }
            return tree;
        }

        static int height(Tree tree) {
            return tree == null ? 0 : 1 + Math.max(height(tree.left), height(tree.right));
        }

        static String inOrder(Tree tree) {
            return tree == null ? "" : inOrder(tree.left) + tree.key + " " + inOrder(tree.right);
        }
    }

    private static Tree tree(int[] keys) {
        Tree tree = null;
        for (int key : keys) {
            tree = Tree.insert(tree, key);
        }
        return tree;
    }

    public static int fibonacci(int n) {
        int m = n & 15;
        return m < 2 ? m : fibonacci(m - 1) + fibonacci(m - 2);
    }

    public static String hanoi(int n) {
        return hanoi(n & 3, 'a', 'b', 'c');
    }

    private static String hanoi(int n, char from, char by, char to) {
        return n == 0 ? "" : hanoi(n - 1, from, to, by) + from + to + " " + hanoi(n - 1, by, from, to);
    }

    public static boolean palindrome(String s) {
        return palindrome(s, 0, s.length() - 1);
    }

    private static boolean palindrome(String s, int from, int to) {
        return from >= to || s.charAt(from) == s.charAt(to) && palindrome(s, from + 1, to - 1);
    }

    public static int treeHeight(int[] keys) {
        return Tree.height(tree(keys));
    }

    public static String treeInOrder(int[] keys) {
        return Tree.inOrder(tree(keys));
    }

    public static int binarySearch(int[] cells, int key) {
        return binarySearch(cells, key, 0, cells.length);
    }

    private static int binarySearch(int[] cells, int key, int from, int to) {
        if (from >= to) {
            return -from - 1;
        }
        int middle = from + to >>> 1;
        if (cells[middle] == key) {
            return middle;
        }
        return cells[middle] < key ? binarySearch(cells, key, middle + 1, to) : binarySearch(cells, key, from, middle);
    }

    public static String quicksort(int[] cells) {
        int[] copy = cells.clone();
        quicksort(copy, 0, copy.length - 1);
        StringBuilder text = new StringBuilder();
        for (int cell : copy) {
            text.append(cell).append(' ');
        }
        return text.toString();
    }

    private static void quicksort(int[] cells, int low, int high) {
        if (low >= high) {
            return;
        }
        int pivot = cells[high];
        int place = low;
        for (int i = low; i < high; i++) {
            if (cells[i] < pivot) {
                int cell = cells[i];
                cells[i] = cells[place];
                cells[place++] = cell;
            }
        }
        cells[high] = cells[place];
        cells[place] = pivot;
        quicksort(cells, low, place - 1);
        quicksort(cells, place + 1, high);
    }

    public static int permutations(int n) {
        return permute(new boolean[n & 3], 0);
    }

    private static int permute(boolean[] used, int depth) {
        if (depth == used.length) {
            return 1;
        }
        int count = 0;
        for (int i = 0; i < used.length; i++) {
            if (!used[i]) {
                used[i] = true;
                count += permute(used, depth + 1);
                used[i] = false;
            }
        }
        return count;
    }

    /** The value of a sum of products with parentheses, of one-digit numbers; -1 where it is none. */
    public static int evaluate(String expression) {
        int[] place = {0};
        try {
            int value = sum(expression, place);
            return place[0] == expression.length() ? value : -1;
        } catch (IllegalArgumentException e) {
            return -1;
        }
    }

    private static int sum(String text, int[] place) {
        int value = product(text, place);
        while (place[0] < text.length() && text.charAt(place[0]) == '+') {
            place[0]++;
            value += product(text, place);
        }
        return value;
    }

    private static int product(String text, int[] place) {
        int value = factor(text, place);
        while (place[0] < text.length() && text.charAt(place[0]) == '*') {
            place[0]++;
            value *= factor(text, place);
        }
        return value;
    }

    private static int factor(String text, int[] place) {
        if (place[0] >= text.length()) {
            throw new IllegalArgumentException("end");
        }
        char c = text.charAt(place[0]++);
        if (c >= '0' && c <= '9') {
            return c - '0';
        } else if (c == '(') {
            int value = sum(text, place);
            if (place[0] < text.length() && text.charAt(place[0]++) == ')') {
                return value;
            }
        }
        throw new IllegalArgumentException("character");
    }
}
