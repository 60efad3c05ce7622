import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lock by test-and-set that one thread takes twice. Whoever spins could go on while it was free
 * for a moment, and cannot once it is taken again: that he could have come in between is seen from
 * that alone. Correct: the atomic write orders the critical sections.
 */
public class SpinLockTwice {
    static final AtomicBoolean taken = new AtomicBoolean();
    static int count;

    static void enter() {
        while (taken.getAndSet(true)) {
            Thread.onSpinWait();
        }
        count++;
        taken.set(false);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            enter();
            enter();
        }, "other");
        other.start();
        enter();
        other.join();
        assert count == 3;
    }
}
