/**
 * Two threads take a thousand locks, each within the one before, in the same order.
 *
 * Correct: whoever has the first lock gets all the others. What is held at each of them must
 * not be written down lock by lock, or the search for cycles takes the square of the square.
 */
public class DeepLocks {
    static int taken;

    public static void main(String[] args) throws InterruptedException {
        Object[] locks = new Object[Integer.parseInt(args[0])];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
        }
        Thread other = new Thread(() -> take(locks, 0), "other");
        other.start();
        take(locks, 0);
        other.join();
        assert taken == 2;
    }

    static void take(Object[] locks, int next) {
        if (next == locks.length) {
            taken++;
            return;
        }
        synchronized (locks[next]) {
            take(locks, next + 1);
        }
    }
}
