import java.util.concurrent.atomic.AtomicInteger;

/**
 * Mutual exclusion by flags, each thread looking before it raises its own.
 *
 * Breaks when: both look before either raises; both go in.
 */
public class FlagsCrossed {
    static volatile boolean flagA;
    static volatile boolean flagB;
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        new Thread(() -> {
            if (!flagB) {
                flagA = true;
                critical();
                flagA = false;
            }
        }, "a").start();
        new Thread(() -> {
            if (!flagA) {
                flagB = true;
                critical();
                flagB = false;
            }
        }, "b").start();
    }

    static void critical() {
        assert inside.incrementAndGet() == 1 : "two inside"; //~ assertion
        inside.decrementAndGet();
    }
}
