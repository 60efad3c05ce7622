/**
 * Lets printf ask an object for its text, which takes a lock that another thread prints with.
 *
 * Breaks when: printf has System.out, whose monitor it keeps while it formats, and the other
 * thread has the account.
 */
public class FormatLocked {
    static class Account {
        int money;

        synchronized void pay(int amount) {
            money += amount;
            System.out.println("paid"); //~ lock-cycle
        }

        @Override
        public synchronized String toString() {
            return "account of " + money;
        }
    }

    public static void main(String[] args) {
        Account account = new Account();
        new Thread(() -> account.pay(5), "payer").start();
        System.out.printf("%s%n", account); //~ lock-cycle
    }
}
