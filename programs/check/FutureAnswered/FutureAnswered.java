import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A future that is completed on every path.
 *
 * Correct: a cancelled worker completes it with an exception, which the chain turns into an answer.
 */
public class FutureAnswered {
    static final AtomicBoolean cancelled = new AtomicBoolean();

    public static void main(String[] args) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        new Thread(() -> {
            if (cancelled.get()) {
                answer.completeExceptionally(new IllegalStateException("cancelled"));
                return;
            }
            answer.complete("done");
        }, "worker").start();
        new Thread(() -> cancelled.set(true), "canceller").start();
        String text = answer.handle((value, error) -> error == null ? value : "none").join();
        assert text.equals("done") || text.equals("none");
    }
}
