package faulty;

/** Aliasing: a transfer from an account to itself makes money, because the old balance of the target is written back. */
public class Transfer {
    public static class Account {
        public int balance;
    }

    public static void transfer(Account from, Account to, int amount) {
        if (amount < 0 || from.balance < amount || to.balance > Integer.MAX_VALUE - amount) {
            throw new IllegalArgumentException("amount");
        }
        int before = from.balance;
        int after = to.balance + amount;
        from.balance = before - amount;
        to.balance = after;
        assert from.balance == before - amount; // fails
    }
}
