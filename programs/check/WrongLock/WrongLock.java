/**
 * A deposit under a lock that nobody else uses.
 *
 * Breaks when: both threads read the balance before either writes it; each holds its own lock only.
 */
public class WrongLock {
    static int balance;

    static class Depositor extends Thread {
        @Override
        public void run() {
            deposit(10);
        }

        private synchronized void deposit(int amount) {
            balance = balance + amount; //~ race
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Depositor a = new Depositor();
        Depositor b = new Depositor();
        a.start();
        b.start();
        a.join();
        b.join();
        assert balance == 20 : "lost deposit"; //~ assertion
    }
}
