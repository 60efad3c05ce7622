/**
 * A worker hands its exception to the handler of uncaught exceptions itself, as executors do.
 * There is none but the library's, which prints it.
 *
 * Breaks when: the queue is closed before the worker looks.
 */
public class HandlerAsked {
    static volatile boolean closed;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            try {
                if (closed) {
                    throw new IllegalStateException("closed"); //~ exception
                }
            } catch (IllegalStateException e) {
                Thread self = Thread.currentThread();
                self.getUncaughtExceptionHandler().uncaughtException(self, e);
            }
        });
        worker.start();
        closed = true;
        worker.join();
    }
}
