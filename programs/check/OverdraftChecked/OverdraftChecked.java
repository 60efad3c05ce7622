/**
 * A withdrawal whose test and change are one synchronized call.
 *
 * Correct: the balance cannot change between the test and the subtraction.
 */
public class OverdraftChecked {
    private int balance = 100;

    synchronized boolean withdraw(int amount) {
        if (balance < amount) {
            return false;
        }
        balance -= amount;
        assert balance >= 0 : "overdrawn";
        return true;
    }

    public static void main(String[] args) {
        OverdraftChecked account = new OverdraftChecked();
        Runnable customer = () -> account.withdraw(60);
        new Thread(customer, "first").start();
        new Thread(customer, "second").start();
    }
}
