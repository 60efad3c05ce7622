/**
 * A watchman naps between his rounds until he is told to go home by an interrupt.
 *
 * Broken: an interrupt that comes during a nap ends the nap and is forgotten.
 */
public class SwallowedInterrupt {
    static volatile int rounds;

    public static void main(String[] args) throws InterruptedException {
        Thread watchman = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    Thread.sleep(10);
                } catch (InterruptedException e) {
                    rounds = 1;
                }
            }
        }, "watchman");
        watchman.start();
        watchman.interrupt();
        watchman.join();
    }
}
