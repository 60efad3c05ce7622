import java.util.concurrent.locks.StampedLock;

/** A reader wants to write and forgets that a StampedLock knows no owner: it waits for itself. */
public class StampedTwice {
    static final StampedLock lock = new StampedLock();
    static int cached;

    static int value() {
        long stamp = lock.readLock();
        try {
            if (cached == 0) {
                long write = lock.writeLock(); //~ deadlock
                cached = 7;
                lock.unlockWrite(write);
            }
            return cached;
        } finally {
            lock.unlockRead(stamp);
        }
    }

    public static void main(String[] args) {
        Thread reader = new Thread(StampedTwice::value, "reader");
        reader.start();
    }
}
