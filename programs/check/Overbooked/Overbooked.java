import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two seats, three bookings, test and change apart. No assertion: {@code fits} must hold always.
 *
 * Breaks when: two bookings both see one seat left.
 */
public class Overbooked {
    static final int SEATS = 2;
    static final AtomicInteger taken = new AtomicInteger(1);

    public static boolean fits() {
        return taken.get() <= SEATS;
    }

    public static void main(String[] args) {
        Runnable book = () -> {
            if (taken.get() < SEATS) {
                taken.incrementAndGet(); //~ invariant
            }
        };
        new Thread(book, "first").start();
        new Thread(book, "second").start();
    }
}
