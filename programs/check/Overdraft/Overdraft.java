/**
 * A withdrawal whose test and change are separate synchronized calls.
 *
 * Breaks when: both threads see 100, then both withdraw 60.
 */
public class Overdraft {
    private int balance = 100;

    synchronized int balance() {
        return balance;
    }

    synchronized void withdraw(int amount) {
        balance -= amount;
        assert balance >= 0 : "overdrawn"; //~ assertion
    }

    public static void main(String[] args) {
        Overdraft account = new Overdraft();
        Runnable customer = () -> {
            if (account.balance() >= 60) {
                account.withdraw(60);
            }
        };
        new Thread(customer, "first").start();
        new Thread(customer, "second").start();
    }
}
