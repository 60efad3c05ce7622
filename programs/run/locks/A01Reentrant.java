import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** ReentrantLock: holds, tryLock, interruptible lock, fairness flag, errors. */
public class A01Reentrant {
    public static void main(String[] args) throws Exception {
        ReentrantLock l = new ReentrantLock();
        l.lock();
        l.lock();
        System.out.println(l.getHoldCount() + " " + l.isLocked() + l.isHeldByCurrentThread() + l.isFair() + l.hasQueuedThreads());
        Thread t = new Thread(() -> {
            System.out.println(l.tryLock() + " " + l.isHeldByCurrentThread());
            try {
                System.out.println(l.tryLock(5, TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                System.out.println("?");
            }
        });
        t.start();
        t.join();
        Thread i = new Thread(() -> { try { l.lockInterruptibly(); } catch (InterruptedException e) { System.out.println("interrupted in lock"); } });
        i.start();
        while (!l.hasQueuedThread(i)) Thread.yield();
        System.out.println(l.getQueueLength());
        i.interrupt();
        i.join();
        l.unlock();
        l.unlock();
        try {
            l.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage() + " " + l.toString().replaceAll("@[0-9a-f]+", "@X"));
        }
        ReentrantLock fair = new ReentrantLock(true);
        int[] n = {0};
        Thread[] all = new Thread[4];
        for (int k = 0; k < 4; k++) {
            all[k] = new Thread(() -> { for (int j = 0; j < 200; j++) { fair.lock(); try { n[0]++; } finally { fair.unlock(); } } });
            all[k].start();
        }
        for (Thread x : all) x.join();
        System.out.println(n[0] + " " + fair.isFair());
    }
}
