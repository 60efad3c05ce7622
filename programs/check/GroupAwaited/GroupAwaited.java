/**
 * Waits until all threads of its group but itself have ended.
 *
 * Correct: all were started before, and what a thread did is seen by whoever finds it gone.
 */
public class GroupAwaited {
    static int sum;

    public static void main(String[] args) {
        Runnable add = () -> {
            synchronized (GroupAwaited.class) {
                sum++;
            }
        };
        new Thread(add, "first").start();
        new Thread(add, "second").start();
        while (Thread.activeCount() > 1) {
            Thread.yield();
        }
        assert sum == 2;
    }
}
