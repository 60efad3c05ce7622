import java.util.*;
import java.util.concurrent.locks.*;

/** StampedLock: optimistic reads, conversion, stamps that no longer match. */
public class B02Stamped {
    static class Point {
        private double x, y;
        final StampedLock l = new StampedLock();
        void move(double dx) { long s = l.writeLock(); try { x += dx; Thread.yield(); y -= dx; } finally { l.unlockWrite(s); } }
        double sum() {
            long s = l.tryOptimisticRead();
            double a = x, b = y;
            if (!l.validate(s)) { s = l.readLock(); try { a = x; b = y; } finally { l.unlockRead(s); } }
            return a + b;
        }
        boolean resetIfLarge() {
            long s = l.readLock();
            try {
                while (x > 50) {
                    long w = l.tryConvertToWriteLock(s);
                    if (w != 0) { s = w; x = 0; y = 0; return true; }
                    l.unlockRead(s);
                    s = l.writeLock();
                }
                return false;
            } finally {
                l.unlock(s);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        StampedLock l = new StampedLock();
        long o = l.tryOptimisticRead();
        System.out.println(l.validate(o) + " " + l.isWriteLocked() + l.isReadLocked());
        long w = l.writeLock();
        System.out.println(l.validate(o) + " " + l.tryOptimisticRead() + l.tryReadLock() + l.isWriteLocked() + StampedLock.isWriteLockStamp(w));
        l.unlockWrite(w);
        long r1 = l.readLock(), r2 = l.tryReadLock();
        System.out.println(l.getReadLockCount() + " " + l.tryWriteLock() + l.tryConvertToWriteLock(r1));
        l.unlockRead(r2);
        long up = l.tryConvertToWriteLock(r1);
        System.out.println((up != 0) + " " + (l.tryConvertToOptimisticRead(up) != 0) + l.isWriteLocked());
        try {
            l.unlockRead(r1);
        } catch (IllegalMonitorStateException e) {
            System.out.println(e);
        }
        Point p = new Point();
        boolean[] bad = {false};
        Thread[] all = new Thread[4];
        for (int i = 0; i < 4; i++) {
            int id = i;
            all[i] = new Thread(() -> { for (int k = 0; k < 200; k++) if (id < 2) p.move(1); else if (p.sum() != 0) bad[0] = true; });
            all[i].start();
        }
        for (Thread t : all) t.join();
        System.out.println(p.x + " " + p.y + bad[0] + p.resetIfLarge() + p.resetIfLarge() + p.x);
        Lock view = l.asReadLock();
        view.lock();
        System.out.println(l.getReadLockCount() + " " + l.asWriteLock().tryLock());
        view.unlock();
    }
}
