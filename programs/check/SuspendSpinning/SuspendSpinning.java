/**
 * A thread that spins under a lock is suspended by the one that is to end its loop.
 *
 * Broken: the spinner keeps its lock, which main wants before it raises the flag. That the spinner
 * would go round for ever is no error of its own: it is suspended.
 */
public class SuspendSpinning {
    static final Object lock = new Object();
    static volatile boolean ready;

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws InterruptedException {
        Thread spinner = new Thread(SuspendSpinning::spin, "spinner");
        spinner.start();
        spinner.suspend();
        synchronized (lock) { //~ deadlock
            ready = true;
        }
        spinner.resume();
        spinner.join();
    }

    static void spin() {
        synchronized (lock) {
            while (!ready) { //~ deadlock
                Thread.onSpinWait();
            }
        }
    }
}
