import java.util.concurrent.atomic.AtomicInteger;

/**
 * n threads increment one atomic integer once each: n! schedules up to equivalence.
 *
 * Correct: the increments are atomic.
 */
public class Counter {
    static final AtomicInteger counter = new AtomicInteger();

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        for (int i = 0; i < n; i++) {
            new Thread(counter::incrementAndGet).start();
        }
    }
}
