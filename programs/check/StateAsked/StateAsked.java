/**
 * Interrupts a worker that it has seen asleep, and takes for granted that it was.
 *
 * Breaks when: the worker has not come to its sleep yet, or has ended.
 */
public class StateAsked {
    static volatile boolean woken;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException e) {
                woken = true;
            }
        });
        worker.start();
        if (worker.getState() == Thread.State.TIMED_WAITING) {
            worker.interrupt();
        }
        worker.join();
        assert woken; //~ assertion
    }
}
