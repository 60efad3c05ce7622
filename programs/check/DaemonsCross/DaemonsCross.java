/**
 * Two daemons take two locks in different orders while main ends.
 *
 * Breaks when: each has one of the locks. That does not keep the program from ending.
 */
public class DaemonsCross {
    static final Object left = new Object();
    static final Object right = new Object();

    public static void main(String[] args) {
        start(() -> both(left, right), "there");
        start(() -> both(right, left), "back");
    }

    static void start(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    static void both(Object one, Object other) {
        synchronized (one) {
            synchronized (other) { //~ lock-cycle
            }
        }
    }
}
