/**
 * Formats the text of an object before it is printed.
 *
 * Correct: whoever has System.out wants nothing else.
 */
public class FormatFirst {
    static class Account {
        int money;

        synchronized void pay(int amount) {
            money += amount;
            System.out.println("paid");
        }

        @Override
        public synchronized String toString() {
            return "account of " + money;
        }
    }

    public static void main(String[] args) {
        Account account = new Account();
        new Thread(() -> account.pay(5), "payer").start();
        System.out.println(String.format("%s", account));
    }
}
