/**
 * The deposits of WrongLock under a lock that both threads use.
 *
 * Correct: the class is the same object for both.
 */
public class WrongLockShared {
    static int balance;

    static class Depositor extends Thread {
        @Override
        public void run() {
            deposit(10);
        }

        private static synchronized void deposit(int amount) {
            balance = balance + amount;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Depositor a = new Depositor();
        Depositor b = new Depositor();
        a.start();
        b.start();
        a.join();
        b.join();
        assert balance == 20 : "lost deposit";
    }
}
