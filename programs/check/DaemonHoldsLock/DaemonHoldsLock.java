import java.util.concurrent.locks.LockSupport;

/**
 * One daemon keeps a lock for as long as the program lasts, and another one wants it.
 *
 * Breaks when the second one has the lock first, before main ends.
 */
public class DaemonHoldsLock {
    static final Object lock = new Object();

    static void daemon(String name, Runnable body) {
        Thread daemon = new Thread(body, name);
        daemon.setDaemon(true);
        daemon.start();
    }

    public static void main(String[] args) {
        daemon("idle", () -> {});
        daemon("keeps", () -> {
            synchronized (lock) {
                LockSupport.park();
            }
        });
        daemon("wants", () -> {
            synchronized (lock) {
                assert false; //~ assertion
            }
        });
    }
}
