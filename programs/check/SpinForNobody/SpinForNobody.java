import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Spins on a flag that may never be set.
 *
 * Breaks when: the canceller comes before the setter; the setter leaves and the spinner spins for
 * ever. Nothing is blocked, so this is no deadlock.
 */
public class SpinForNobody {
    static final AtomicBoolean cancelled = new AtomicBoolean();
    static volatile boolean ready;

    public static void main(String[] args) {
        new Thread(() -> {
            while (!ready) { //~ livelock
                Thread.onSpinWait(); //~ livelock
            }
        }, "spinner").start();
        new Thread(() -> {
            if (!cancelled.get()) {
                ready = true;
            }
        }, "setter").start();
        new Thread(() -> cancelled.set(true), "canceller").start();
    }
}
