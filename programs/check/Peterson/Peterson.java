import java.util.concurrent.atomic.AtomicInteger;

/**
 * Peterson's algorithm for two threads, with a bounded number of tries.
 *
 * Correct: each raises its flag before it yields the turn; whoever yields last waits. Giving up
 * lowers the flag and enters nothing.
 */
public class Peterson {
    static final int TRIES = 2;
    static volatile boolean flag0;
    static volatile boolean flag1;
    static volatile int turn;
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        new Thread(Peterson::first, "first").start();
        new Thread(Peterson::second, "second").start();
    }

    static void first() {
        flag0 = true;
        turn = 1;
        for (int i = 0; i < TRIES; i++) {
            if (!flag1 || turn != 1) {
                critical();
                break;
            }
        }
        flag0 = false;
    }

    static void second() {
        flag1 = true;
        turn = 0;
        for (int i = 0; i < TRIES; i++) {
            if (!flag0 || turn != 0) {
                critical();
                break;
            }
        }
        flag1 = false;
    }

    static void critical() {
        assert inside.incrementAndGet() == 1 : "two inside";
        inside.decrementAndGet();
    }
}
