/**
 * A worker hands its exception to the handler of uncaught exceptions itself, which is one of the
 * program's own.
 */
public class HandlerAnswers {
    static volatile boolean closed;
    static volatile Throwable noted;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            try {
                if (closed) {
                    throw new IllegalStateException("closed");
                }
            } catch (IllegalStateException e) {
                Thread self = Thread.currentThread();
                self.getUncaughtExceptionHandler().uncaughtException(self, e);
            }
        });
        worker.setUncaughtExceptionHandler((thread, e) -> noted = e);
        worker.start();
        closed = true;
        worker.join();
    }
}
