/**
 * A daemon adds a shutdown hook while main ends, and with it the program.
 *
 * Breaks when the list of hooks has been closed and the daemon still runs: the hook is refused.
 */
public class HookByDaemon {
    public static void main(String[] args) {
        Thread daemon = new Thread(() -> {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {})); //~ exception
        }, "daemon");
        daemon.setDaemon(true);
        daemon.start();
    }
}
