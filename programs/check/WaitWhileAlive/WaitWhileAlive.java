/**
 * A thread starts another one and waits for its end, all under that one's monitor.
 *
 * Correct: the worker cannot end before its monitor is given up, which waiting does, be it by wait or by join.
 */
public class WaitWhileAlive {
    static int done;

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(() -> done++, "one");
        synchronized (one) {
            one.start();
            while (one.isAlive()) {
                one.wait();
            }
        }
        Thread two = new Thread(() -> done++, "two");
        synchronized (two) {
            two.start();
            two.join();
        }
        if (done != 2) {
            throw new AssertionError(done);
        }
    }
}
