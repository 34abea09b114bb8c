package tested;

/** A bank account, as others use it: by its methods only. */
public class Account {
    private final String owner;
    private int balance;
    private boolean blocked;

    public Account(String owner) {
        this.owner = owner;
        this.balance = 0;
    }

    public String getOwner() {
        return owner;
    }

    public int getBalance() {
        return balance;
    }

    public void block() {
        blocked = true;
    }

    public void deposit(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("nothing to deposit");
        }
        balance += amount;
    }

    public boolean withdraw(int amount) {
        if (blocked) {
            throw new IllegalStateException("blocked");
        }
        if (amount <= 0 || amount > balance) {
            return false;
        }
        balance -= amount;
        return true;
    }
}
