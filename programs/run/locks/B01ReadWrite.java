import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** ReentrantReadWriteLock: sharing, downgrading, counts. */
public class B01ReadWrite {
    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock l = new ReentrantReadWriteLock();
        l.readLock().lock();
        l.readLock().lock();
        System.out.println(l.getReadHoldCount() + " " + l.getReadLockCount() + l.isWriteLocked() + l.writeLock().tryLock());
        Thread t = new Thread(() -> { System.out.println(l.readLock().tryLock() + " " + l.writeLock().tryLock()); l.readLock().unlock(); });
        t.start();
        t.join();
        l.readLock().unlock();
        l.readLock().unlock();
        l.writeLock().lock();
        l.readLock().lock();
        l.writeLock().unlock();
        System.out.println(l.isWriteLocked() + " " + l.getReadHoldCount());
        l.readLock().unlock();
        try {
            l.readLock().unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        Map<Integer, Integer> map = new TreeMap<>();
        int[] bad = {0};
        List<Thread> all = new ArrayList<>();
        for (int w = 0; w < 2; w++) {
            int id = w;
            all.add(new Thread(() -> { for (int i = 0; i < 200; i++) { l.writeLock().lock(); try { map.merge(i % 10, 1, Integer::sum); map.merge(100 + i % 10, 1, Integer::sum); } finally { l.writeLock().unlock(); } } }));
        }
        for (int r = 0; r < 3; r++) {
            all.add(new Thread(() -> { for (int i = 0; i < 200; i++) { l.readLock().lock(); try { if (!Objects.equals(map.get(i % 10), map.get(100 + i % 10))) bad[0]++; } finally { l.readLock().unlock(); } } }));
        }
        all.forEach(Thread::start);
        for (Thread x : all) x.join();
        System.out.println(map + " " + bad[0]);
        CountDownLatch in = new CountDownLatch(3);
        Thread[] readers = new Thread[3];
        for (int i = 0; i < 3; i++) {
            readers[i] = new Thread(() -> { l.readLock().lock(); in.countDown(); try { in.await(); } catch (InterruptedException e) { } l.readLock().unlock(); });
            readers[i].start();
        }
        for (Thread r : readers) r.join();
        System.out.println("readers shared " + l.getReadLockCount());
        try {
            l.readLock().newCondition();
        } catch (UnsupportedOperationException e) {
            System.out.println(e);
        }
    }
}
