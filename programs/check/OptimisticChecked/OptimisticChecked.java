import java.util.concurrent.locks.StampedLock;

/**
 * An optimistic read that is validated and falls back to a read lock.
 *
 * Correct: the values are used only when no write happened since the stamp was taken.
 */
public class OptimisticChecked {
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
            if (!lock.validate(stamp)) {
                stamp = lock.readLock();
                seenX = x;
                seenY = y;
                lock.unlockRead(stamp);
            }
            assert seenX == seenY : "torn read";
        }, "reader").start();
    }
}
