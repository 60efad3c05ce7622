/**
 * Each thread joins the one before it.
 *
 * Correct: the first one joins nobody. What it wrote is seen after the join.
 */
public class JoinChain {
    static int value;

    public static void main(String[] args) {
        Thread a = new Thread(() -> value = 1, "a");
        Thread b = new Thread(() -> {
            join(a);
            value++;
        }, "b");
        Thread c = new Thread(() -> {
            join(b);
            assert value == 2;
        }, "c");
        c.start();
        b.start();
        a.start();
    }

    static void join(Thread other) {
        try {
            // A thread that has not started counts as ended, so wait for the start as well.
            while (other.getState() == Thread.State.NEW) {
                Thread.yield();
            }
            other.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
