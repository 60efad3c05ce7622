/**
 * A worker may find the queue closed, and ends by an exception then: the handler that the program
 * has for this notes it.
 */
public class HandlerTakes {
    static volatile boolean closed;
    static volatile Throwable noted;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            if (closed) {
                throw new IllegalStateException("closed");
            }
        });
        worker.setUncaughtExceptionHandler((thread, e) -> noted = e);
        worker.start();
        closed = true;
        worker.join();
        assert noted == null || noted.getMessage().equals("closed");
    }
}
