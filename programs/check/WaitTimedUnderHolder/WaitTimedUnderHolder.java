/**
 * One thread waits for a notification or until its time is up, another one notifies it, and main has
 * the lock for longer than that.
 *
 * Breaks when the first has begun to wait, is notified, and goes on, all before main has the lock.
 */
public class WaitTimedUnderHolder {
    static final Object lock = new Object();
    static boolean set;

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait(10);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                assert set; //~ assertion
            }
        }, "waits").start();
        new Thread(() -> {
            synchronized (lock) {
                lock.notify();
            }
        }, "notifies").start();
        synchronized (lock) {
            Thread.sleep(1000);
            set = true;
        }
    }
}
