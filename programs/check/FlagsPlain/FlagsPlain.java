import java.util.concurrent.atomic.AtomicInteger;

/**
 * FlagsRaisedFirst with plain flags.
 *
 * Breaks when: both run at once; a store may stay behind a later load, on real machines too. In an
 * interleaving the assertion holds, so only the races show it.
 */
public class FlagsPlain {
    static boolean flagA;
    static boolean flagB;
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        new Thread(() -> {
            flagA = true; //~ race
            if (!flagB) { //~ race
                critical();
            }
            flagA = false; //~ race
        }, "a").start();
        new Thread(() -> {
            flagB = true; //~ race
            if (!flagA) { //~ race
                critical();
            }
            flagB = false; //~ race
        }, "b").start();
    }

    static void critical() {
        assert inside.incrementAndGet() == 1 : "two inside";
        inside.decrementAndGet();
    }
}
