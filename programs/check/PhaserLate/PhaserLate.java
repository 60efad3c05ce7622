import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A worker that registers with the phaser when it runs.
 *
 * Breaks when: main arrives before the worker registered; it is the only party and goes on.
 */
public class PhaserLate {
    static final AtomicInteger done = new AtomicInteger();

    public static void main(String[] args) {
        Phaser phaser = new Phaser(1);
        new Thread(() -> {
            phaser.register();
            done.incrementAndGet();
            phaser.arriveAndDeregister();
        }, "worker").start();
        phaser.arriveAndAwaitAdvance();
        assert done.get() == 1 : "worker came too late"; //~ assertion
    }
}
