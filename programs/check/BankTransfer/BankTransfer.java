/**
 * Transfers that lock the source, then the target.
 *
 * Breaks when: one transfer has locked alice and the other has locked bob.
 */
public class BankTransfer {
    static class Account {
        private int balance;

        Account(int balance) {
            this.balance = balance;
        }

        void transferTo(Account target, int amount) {
            synchronized (this) {
                synchronized (target) { //~ lock-cycle
                    balance -= amount;
                    target.balance += amount;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account alice = new Account(100);
        Account bob = new Account(100);
        Thread there = new Thread(() -> alice.transferTo(bob, 10), "there");
        Thread back = new Thread(() -> bob.transferTo(alice, 20), "back");
        there.start();
        back.start();
        there.join();
        back.join();
        assert alice.balance == 110 && bob.balance == 90;
    }
}
