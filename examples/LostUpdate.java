/**
 * A bank account with a lost update.
 *
 * <p>Two threads deposit 100 each. A deposit reads the balance and then writes the new one; when the
 * other thread deposits in between, its money is gone. Run under a stock JVM this nearly always prints
 * 200, which is why such a bug lives long. One schedule in which both threads read before either writes
 * is enough to break the assertion at the end.
 *
 * <p>The repair: make {@code deposit} synchronized.
 */
public class LostUpdate {
    private int balance;

    void deposit(int amount) {
        int old = balance;
        balance = old + amount; // another thread may have deposited since the line above
    }

    public static void main(String[] args) throws InterruptedException {
        LostUpdate account = new LostUpdate();
        Thread first = new Thread(() -> account.deposit(100), "first");
        Thread second = new Thread(() -> account.deposit(100), "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("balance " + account.balance);
        assert account.balance == 200 : "a deposit was lost: " + account.balance;
    }
}
