import java.util.concurrent.locks.StampedLock;

/**
 * An optimistic read that nobody validates.
 *
 * Breaks when: the mover runs between the two reads.
 */
public class OptimisticUnchecked {
    static final StampedLock lock = new StampedLock();
    static volatile int x;
    static volatile int y;

    public static void main(String[] args) {
        new Thread(() -> {
            long stamp = lock.writeLock();
            x = 1;
            y = 1;
            lock.unlockWrite(stamp);
        }, "mover").start();
        new Thread(() -> {
            long stamp = lock.tryOptimisticRead();
            int seenX = x;
            int seenY = y;
            assert seenX == seenY : "torn read with stamp " + (stamp != 0); //~ assertion
        }, "reader").start();
    }
}
