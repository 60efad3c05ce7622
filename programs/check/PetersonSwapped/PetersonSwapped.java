import java.util.concurrent.atomic.AtomicInteger;

/**
 * Peterson's algorithm with the first two writes swapped.
 *
 * Breaks when: first yields the turn; second yields it, raises its flag, sees flag0 down and goes
 * in; first raises its flag, sees that the turn is its own and goes in too.
 */
public class PetersonSwapped {
    static final int TRIES = 2;
    static volatile boolean flag0;
    static volatile boolean flag1;
    static volatile int turn;
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        new Thread(PetersonSwapped::first, "first").start();
        new Thread(PetersonSwapped::second, "second").start();
    }

    static void first() {
        turn = 1;
        flag0 = true;
        for (int i = 0; i < TRIES; i++) {
            if (!flag1 || turn != 1) {
                critical();
                break;
            }
        }
        flag0 = false;
    }

    static void second() {
        turn = 0;
        flag1 = true;
        for (int i = 0; i < TRIES; i++) {
            if (!flag0 || turn != 0) {
                critical();
                break;
            }
        }
        flag1 = false;
    }

    static void critical() {
        assert inside.incrementAndGet() == 1 : "two inside"; //~ assertion
        inside.decrementAndGet();
    }
}
