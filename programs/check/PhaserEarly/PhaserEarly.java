import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A worker that is registered before it starts.
 *
 * Correct: the phase cannot advance before both parties have arrived.
 */
public class PhaserEarly {
    static final AtomicInteger done = new AtomicInteger();

    public static void main(String[] args) {
        Phaser phaser = new Phaser(2);
        new Thread(() -> {
            done.incrementAndGet();
            phaser.arriveAndDeregister();
        }, "worker").start();
        phaser.arriveAndAwaitAdvance();
        assert done.get() == 1 : "worker came too late";
    }
}
