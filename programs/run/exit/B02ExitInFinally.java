/** System.exit inside try, with hooks, finally and a waiting thread. */
public class B02ExitInFinally {
    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        new Thread(() -> { synchronized (lock) { try { lock.wait(); } catch (InterruptedException e) { } } System.out.println("never"); }).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("hook runs");
            throw new IllegalStateException("in the hook");
        }, "hook"));
        try {
            System.out.println("leaving");
            System.exit(5);
        } catch (Throwable t) {
            System.out.println("never " + t);
        } finally {
            System.out.println("never");
        }
    }
}
