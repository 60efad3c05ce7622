import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lock by compare-and-set: who does not get it tries again. Correct: the atomic write orders the
 * critical sections, and a try that fails changes nothing, so a loop of them only waits.
 */
public class SpinLock {
    static final AtomicBoolean taken = new AtomicBoolean();
    static int count;

    static void enter() {
        while (!taken.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
        count++;
        taken.set(false);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(SpinLock::enter, "other");
        other.start();
        enter();
        other.join();
        assert count == 2;
    }
}
