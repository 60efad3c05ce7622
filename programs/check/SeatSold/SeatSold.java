import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sells one seat with two operations on an atomic integer.
 *
 * Breaks when: both clerks see a free seat before either takes it.
 */
public class SeatSold {
    static final AtomicInteger free = new AtomicInteger(1);

    public static void main(String[] args) {
        Runnable clerk = () -> {
            if (free.get() > 0) {
                int left = free.decrementAndGet();
                assert left >= 0 : "sold twice"; //~ assertion
            }
        };
        new Thread(clerk, "clerk-1").start();
        new Thread(clerk, "clerk-2").start();
    }
}
