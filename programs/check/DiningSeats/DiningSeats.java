import java.util.concurrent.Semaphore;

/**
 * Dining philosophers with one seat less than there are forks.
 *
 * Correct: with n - 1 at the table somebody always gets both forks. The cycle in the lock order is
 * real, the deadlock is not.
 */
public class DiningSeats {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        Semaphore seats = new Semaphore(n - 1);
        Object[] forks = new Object[n];
        for (int i = 0; i < n; i++) {
            forks[i] = new Object();
        }
        for (int i = 0; i < n; i++) {
            Object left = forks[i];
            Object right = forks[(i + 1) % n];
            new Thread(() -> {
                seats.acquireUninterruptibly();
                synchronized (left) {
                    synchronized (right) {
                    }
                }
                seats.release();
            }, "philosopher-" + i).start();
        }
    }
}
