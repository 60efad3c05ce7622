/**
 * Two bank transfers in opposite directions that deadlock.
 *
 * <p>Each thread locks the account it takes money from, is slow for a moment, and then locks the other
 * account: by then the other thread holds it. Under {@code java} the program hangs for ever; under
 * {@code heddle run} it ends with a report of who holds what and who waits for whom.
 *
 * <p>The repair: lock accounts in a fixed order, whatever the direction of the transfer.
 */
public class Transfer {
    static final class Account {
        int balance = 100;

        void transferTo(Account other, int amount) throws InterruptedException {
            synchronized (this) {
                Thread.sleep(1000); // checking the balance takes a while
                synchronized (other) {
                    balance -= amount;
                    other.balance += amount;
                }
            }
        }
    }

    static Thread start(String name, Account from, Account to) {
        Thread thread = new Thread(() -> {
            try {
                from.transferTo(to, 10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        Account left = new Account();
        Account right = new Account();
        Thread first = start("left to right", left, right);
        Thread second = start("right to left", right, left);
        first.join();
        second.join();
        System.out.println("done");
    }
}
