/** An uncaught exception in another thread does not change the exit code. */
public class A05UncaughtThread {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> { throw new IllegalArgumentException("in thread"); }, "worker");
        t.start();
        t.join();
        System.out.println("main goes on " + t.isAlive());
    }
}
