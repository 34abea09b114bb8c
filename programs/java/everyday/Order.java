package everyday;

import java.util.ArrayList;
import java.util.List;

/** An order with its items, which may be paid once. */
public class Order {
    static class Item {
        int price;
        int quantity;
    }

    private final List<Item> items = new ArrayList<>();
    private boolean paid;

    static int pay(Item first, Item second) {
        Order order = new Order();
        order.items.add(first);
        if (second != null) {
            order.items.add(second);
        }
        return order.total();
    }

    private int total() {
        if (paid) {
            throw new IllegalStateException("paid already");
        }
        int total = 0;
        for (Item item : items) {
            total += item.price * item.quantity;
        }
        paid = true;
        return total;
    }
}
