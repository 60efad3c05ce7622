import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Locks built on AbstractQueuedSynchronizer: a mutex, a latch, a rate of permits. */
public class C01Custom {
    static class Mutex {
        private static class Sync extends AbstractQueuedSynchronizer {
            @Override protected boolean tryAcquire(int n) { if (compareAndSetState(0, 1)) { setExclusiveOwnerThread(Thread.currentThread()); return true; } return false; }
            @Override protected boolean tryRelease(int n) { if (getExclusiveOwnerThread() != Thread.currentThread()) throw new IllegalMonitorStateException("not mine"); setExclusiveOwnerThread(null); setState(0); return true; }
            @Override protected boolean isHeldExclusively() { return getState() == 1; }
            ConditionObject condition() { return new ConditionObject(); }
        }
        final Sync s = new Sync();
        void lock() { s.acquire(1); }
        void unlock() { s.release(1); }
        boolean tryLock(long ms) throws InterruptedException { return s.tryAcquireNanos(1, TimeUnit.MILLISECONDS.toNanos(ms)); }
        Condition condition() { return s.condition(); }
    }
    static class OneShot extends AbstractQueuedSynchronizer {
        @Override protected int tryAcquireShared(int n) { return getState() == 1 ? 1 : -1; }
        @Override protected boolean tryReleaseShared(int n) { setState(1); return true; }
    }

    public static void main(String[] args) throws Exception {
        Mutex m = new Mutex();
        int[] n = {0};
        Thread[] all = new Thread[5];
        for (int i = 0; i < 5; i++) {
            all[i] = new Thread(() -> { for (int k = 0; k < 200; k++) { m.lock(); try { n[0]++; if (k % 64 == 0) Thread.yield(); } finally { m.unlock(); } } });
            all[i].start();
        }
        for (Thread t : all) t.join();
        System.out.println(n[0]);
        try {
            m.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        m.lock();
        Thread timed = new Thread(() -> { try { System.out.println(m.tryLock(3)); } catch (InterruptedException e) { } });
        timed.start();
        timed.join();
        m.unlock();
        OneShot gate = new OneShot();
        CountDownLatch passed = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) new Thread(() -> { gate.acquireShared(0); passed.countDown(); }).start();
        while (gate.getQueueLength() < 3) Thread.yield();
        System.out.println(passed.getCount() + " " + gate.hasQueuedThreads());
        gate.releaseShared(0);
        passed.await();
        System.out.println(passed.getCount());
        Condition c = m.condition();
        boolean[] flag = {false};
        Thread w = new Thread(() -> { m.lock(); try { while (!flag[0]) c.awaitUninterruptibly(); System.out.println("condition"); } finally { m.unlock(); } });
        w.start();
        m.lock();
        flag[0] = true;
        c.signalAll();
        m.unlock();
        w.join();
    }
}
