/**
 * Waits for the end of a thread that another one starts, and takes for granted that it was.
 *
 * Breaks when: the join comes before the start, and does not wait.
 */
public class JoinBeforeStart {
    static volatile int result;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> result = 1, "worker");
        Thread reader = new Thread(() -> {
            try {
                worker.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assert result == 1; //~ assertion
        }, "reader");
        reader.start();
        worker.start();
        reader.join();
        worker.join();
    }
}
