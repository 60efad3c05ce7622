/**
 * A thread is suspended while another one goes through the same door.
 *
 * Correct: main holds the lock while it suspends the visitor, which so is outside, and gives it
 * back after it has resumed it.
 */
public class SuspendAfterLock {
    static final Object door = new Object();

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws InterruptedException {
        Thread visitor = new Thread(SuspendAfterLock::pass, "visitor");
        visitor.start();
        synchronized (door) {
            visitor.suspend();
            visitor.resume();
        }
        pass();
        visitor.join();
    }

    static void pass() {
        synchronized (door) {
        }
    }
}
