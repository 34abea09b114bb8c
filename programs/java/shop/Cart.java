package shop;

/** What a customer wants to buy. */
public class Cart {
    private int pieces;

    public Cart(int pieces) {
        this.pieces = pieces;
    }

    public int getPieces() {
        return pieces;
    }

    /** Takes over everything that is in another cart. */
    public void takeOver(Cart other) {
        int all = pieces + other.pieces;
        pieces += other.pieces;
        other.pieces = 0;
        assert pieces == all : "goods are lost";
    }
}
