/**
 * Exits inside a lock that a shutdown hook needs.
 *
 * Breaks always: System.exit waits for the hook, the hook waits for the lock.
 */
public class ExitHook {
    static final Object lock = new Object();

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            synchronized (lock) { //~ deadlock lock-cycle condition-deadlock
            }
        }, "hook"));
        new Thread(() -> {
            synchronized (lock) {
                System.exit(0); //~ deadlock lock-cycle condition-deadlock
            }
        }, "exiter").start();
    }
}
