import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two diners and one spoon, one of them not polite.
 *
 * Correct in every fair schedule: diner-0 eats as soon as it has the spoon and then is not hungry
 * any more, so diner-1 keeps it the next time.
 */
public class PoliteWithOrder {
    static final AtomicInteger spoon = new AtomicInteger();
    static volatile boolean hungry0 = true;
    static volatile boolean hungry1 = true;

    public static void main(String[] args) {
        new Thread(() -> {
            while (hungry0) {
                if (spoon.get() != 0) {
                    Thread.yield();
                } else {
                    hungry0 = false;
                    spoon.set(1);
                }
            }
        }, "diner-0").start();
        new Thread(() -> {
            while (hungry1) {
                if (spoon.get() != 1) {
                    Thread.yield();
                } else if (hungry0) {
                    spoon.set(0);
                } else {
                    hungry1 = false;
                    spoon.set(0);
                }
            }
        }, "diner-1").start();
    }
}
