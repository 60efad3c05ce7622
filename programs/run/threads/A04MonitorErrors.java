/** Monitor operations by a thread that does not own the monitor; bad arguments. */
public class A04MonitorErrors {
    interface Body { void run() throws Exception; }

    static void attempt(Body b) {
        try {
            b.run();
            System.out.println("fine");
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        Object o = new Object();
        attempt(o::wait);
        attempt(o::notify);
        attempt(o::notifyAll);
        attempt(() -> o.wait(10));
        attempt(() -> { synchronized (o) { o.notify(); o.notifyAll(); } });
        attempt(() -> { synchronized (o) { o.wait(-1); } });
        attempt(() -> { synchronized (o) { o.wait(1, 1_000_000); } });
        attempt(() -> { synchronized (o) { o.wait(5); } });
        attempt(() -> Thread.sleep(-1));
        attempt(() -> Thread.sleep(1, 1_000_000));
        attempt(() -> new Thread().setPriority(11));
        attempt(() -> new Thread().join(-1));
        attempt(() -> Thread.currentThread().setDaemon(true));
        synchronized (o) {
            synchronized (o) {
                System.out.println(Thread.holdsLock(o));
            }
            System.out.println(Thread.holdsLock(o));
        }
        System.out.println(Thread.holdsLock(o));
    }
}
