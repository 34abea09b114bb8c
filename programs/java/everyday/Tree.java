package everyday;

/** A search tree: inserting a key. */
public class Tree {
    int key;
    Tree left;
    Tree right;

    Tree(int key) {
        this.key = key;
    }

    void insert(int key) {
        if (key < this.key) {
            if (left == null) {
                left = new Tree(key);
            } else {
                left.insert(key);
            }
        } else if (key > this.key) {
            right = new Tree(key);
        }
    }
}
