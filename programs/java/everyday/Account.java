package everyday;

/** A bank account: money must not be lost when it is moved. */
public class Account {
    private int balance;

    void withdraw(int amount) {
        if (amount > balance) {
            throw new IllegalArgumentException("insufficient funds");
        }
        balance -= amount;
    }

    void transfer(Account to, int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("nothing to transfer");
        }
        int total = balance + to.balance;
        int received = to.balance + amount;
        withdraw(amount);
        to.balance = received;
        assert balance + to.balance == total : "money came from nowhere";
    }
}
