import java.util.concurrent.SynchronousQueue;

/**
 * Hands two values over without a buffer.
 *
 * Correct: each put waits for its take, so the values arrive in order.
 */
public class HandOver {
    public static void main(String[] args) {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        new Thread(() -> {
            try {
                queue.put(1);
                queue.put(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "giver").start();
        new Thread(() -> {
            try {
                int first = queue.take();
                int second = queue.take();
                assert first == 1 && second == 2;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "taker").start();
    }
}
