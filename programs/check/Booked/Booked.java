import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two seats, three bookings, each by compare-and-set.
 *
 * Correct: the number of seats taken grows only from a value that was below the limit.
 */
public class Booked {
    static final int SEATS = 2;
    static final AtomicInteger taken = new AtomicInteger(1);

    public static boolean fits() {
        return taken.get() <= SEATS;
    }

    public static void main(String[] args) {
        Runnable book = () -> {
            int seen = taken.get();
            if (seen < SEATS) {
                taken.compareAndSet(seen, seen + 1);
            }
        };
        new Thread(book, "first").start();
        new Thread(book, "second").start();
    }
}
