/**
 * Transfers that lock the account with the smaller number first.
 *
 * Correct: all threads take the locks in one order, and both balances change under both locks.
 */
public class BankTransferOrdered {
    static class Account {
        private final int number;
        private int balance;

        Account(int number, int balance) {
            this.number = number;
            this.balance = balance;
        }

        void transferTo(Account target, int amount) {
            Account first = number < target.number ? this : target;
            Account second = first == this ? target : this;
            synchronized (first) {
                synchronized (second) {
                    balance -= amount;
                    target.balance += amount;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account alice = new Account(1, 100);
        Account bob = new Account(2, 100);
        Thread there = new Thread(() -> alice.transferTo(bob, 10), "there");
        Thread back = new Thread(() -> bob.transferTo(alice, 20), "back");
        there.start();
        back.start();
        there.join();
        back.join();
        assert alice.balance == 110 && bob.balance == 90;
    }
}
