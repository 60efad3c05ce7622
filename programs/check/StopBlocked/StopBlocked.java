/**
 * A thread is stopped that is blocked before a monitor.
 *
 * Correct: it gets the monitor first and ends in it, so it does nothing as long as main is inside.
 */
public class StopBlocked {
    static boolean over;

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws InterruptedException {
        Thread visitor = new Thread(StopBlocked::visit, "visitor");
        synchronized (StopBlocked.class) {
            visitor.start();
            while (visitor.getState() != Thread.State.BLOCKED) {
                Thread.yield();
            }
            visitor.stop();
            assert visitor.getState() == Thread.State.BLOCKED;
            assert !over;
        }
        visitor.join();
        assert over;
    }

    static void visit() {
        try {
            enter();
        } finally {
            over = true;
        }
    }

    static synchronized void enter() {
        assert false : "it was stopped before";
    }
}
