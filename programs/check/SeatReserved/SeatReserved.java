import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sells one seat with one atomic update.
 *
 * Correct: test and change are one operation.
 */
public class SeatReserved {
    static final AtomicInteger free = new AtomicInteger(1);

    public static void main(String[] args) {
        Runnable clerk = () -> {
            int left = free.updateAndGet(n -> n > 0 ? n - 1 : n);
            assert left >= 0 : "sold twice";
        };
        new Thread(clerk, "clerk-1").start();
        new Thread(clerk, "clerk-2").start();
    }
}
