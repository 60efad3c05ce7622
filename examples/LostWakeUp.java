/**
 * A wake-up that can get lost.
 *
 * <p>The worker checks a flag and then waits, but the two steps are not one: the flag is read outside
 * the lock. When the main thread sets the flag and notifies just in between, the notification finds
 * nobody waiting, and the worker then waits for ever: no lock cycle, yet a deadlock.
 *
 * <p>The repair: read the flag inside the synchronized block, in a loop around {@code wait}.
 */
public class LostWakeUp {
    private static final Object LOCK = new Object();
    private static volatile boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            if (!ready) { // the notification may come right after this check
                synchronized (LOCK) {
                    try {
                        LOCK.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }
            System.out.println("working");
        }, "worker");
        worker.start();
        ready = true;
        synchronized (LOCK) {
            LOCK.notifyAll();
        }
        worker.join();
    }
}
