/**
 * A worker may find the queue closed, and ends by an exception that nobody
 * foresaw.
 *
 * Breaks when: the queue is closed before the worker looks.
 */
public class HandlerMissing {
    static volatile boolean closed;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            if (closed) {
                throw new IllegalStateException("closed"); //~ exception
            }
        });
        worker.start();
        closed = true;
        worker.join();
    }
}
