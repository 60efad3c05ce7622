/**
 * A daemon adds a shutdown hook, and main waits for it before it ends.
 *
 * Correct: the program ends when the hook is there.
 */
public class HookByAwaited {
    public static void main(String[] args) throws InterruptedException {
        Thread daemon = new Thread(() -> {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {}));
        }, "daemon");
        daemon.setDaemon(true);
        daemon.start();
        daemon.join();
    }
}
