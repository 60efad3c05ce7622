import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A future that is not completed on one path.
 *
 * Breaks when: the canceller comes first; the worker leaves and main waits for ever.
 */
public class FutureForgotten {
    static final AtomicBoolean cancelled = new AtomicBoolean();

    public static void main(String[] args) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        new Thread(() -> {
            if (cancelled.get()) {
                return;
            }
            answer.complete("done");
        }, "worker").start();
        new Thread(() -> cancelled.set(true), "canceller").start();
        assert answer.join().equals("done"); //~ deadlock condition-deadlock
    }
}
