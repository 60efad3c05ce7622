/**
 * A thread is suspended while another one goes through the same door.
 *
 * Broken: who is suspended keeps its locks. After main has passed, the visitor enters, main suspends
 * it, and wants the lock before it comes to resume it. That there is nothing to do inside does not
 * help.
 */
public class SuspendInLock {
    static final Object door = new Object();

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws InterruptedException {
        Thread visitor = new Thread(SuspendInLock::pass, "visitor");
        visitor.start();
        pass();
        visitor.suspend();
        pass();
        visitor.resume();
        visitor.join();
    }

    static void pass() {
        synchronized (door) { //~ deadlock
        }
    }
}
