/**
 * A thread looks every ten milliseconds whether another one, which takes a hundred, is done, and
 * takes the result then.
 *
 * Correct: the flag is set after the result is.
 */
public class PolledUntilDone {
    static volatile boolean done;
    static volatile int result;

    public static void main(String[] args) throws InterruptedException {
        new Thread(PolledUntilDone::work, "worker").start();
        while (!done) {
            Thread.sleep(10);
        }
        assert result == 42;
    }

    static void work() {
        try {
            Thread.sleep(100);
            result = 42;
            done = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
