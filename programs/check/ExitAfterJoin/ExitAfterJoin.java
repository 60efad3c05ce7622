import java.util.concurrent.atomic.AtomicReference;

/**
 * Ends the program after the worker's end.
 *
 * Correct: the join comes before the file is taken away.
 */
public class ExitAfterJoin {
    static final AtomicReference<StringBuilder> file = new AtomicReference<>(new StringBuilder());

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            file.get().append("line");
        }, "worker");
        worker.start();
        worker.join();
        file.set(null);
        System.exit(0);
    }
}
