/**
 * A watchman naps between his rounds until he is told to go home by an interrupt.
 *
 * Correct: an interrupt that comes during a nap is passed on to the loop.
 */
public class RestoredInterrupt {
    static volatile int rounds;

    public static void main(String[] args) throws InterruptedException {
        Thread watchman = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    Thread.sleep(10);
                } catch (InterruptedException e) {
                    rounds = 1;
                    Thread.currentThread().interrupt();
                }
            }
        }, "watchman");
        watchman.start();
        watchman.interrupt();
        watchman.join();
        assert rounds <= 1;
    }
}
