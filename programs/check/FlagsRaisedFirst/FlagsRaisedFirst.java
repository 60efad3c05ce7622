import java.util.concurrent.atomic.AtomicInteger;

/**
 * Mutual exclusion by flags, each thread raising its own before it looks (the heart of Dekker's
 * algorithm; a thread that sees the other's flag gives up).
 *
 * Correct: the flags are volatile, so at least one of the two sees the other's flag. Both may give
 * up, never both go in.
 */
public class FlagsRaisedFirst {
    static volatile boolean flagA;
    static volatile boolean flagB;
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        new Thread(() -> {
            flagA = true;
            if (!flagB) {
                critical();
            }
            flagA = false;
        }, "a").start();
        new Thread(() -> {
            flagB = true;
            if (!flagA) {
                critical();
            }
            flagB = false;
        }, "b").start();
    }

    static void critical() {
        assert inside.incrementAndGet() == 1 : "two inside";
        inside.decrementAndGet();
    }
}
