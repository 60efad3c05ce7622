import java.util.*;

/** notify wakes one, notifyAll wakes all; interrupts against notifications; missed signals handled by state. */
public class B03NotifyOrder {
    static int waiting, woken;
    static final Object LOCK = new Object();

    static void waiter() {
        synchronized (LOCK) {
            waiting++;
            LOCK.notifyAll();
            try {
                int before = permits;
                while (permits == 0) LOCK.wait();
                permits--;
                woken++;
                LOCK.notifyAll();
            } catch (InterruptedException e) {
                interrupted++;
                LOCK.notifyAll();
            }
        }
    }
    static int permits, interrupted;

    public static void main(String[] args) throws Exception {
        Thread[] all = new Thread[5];
        for (int i = 0; i < 5; i++) {
            all[i] = new Thread(B03NotifyOrder::waiter);
            all[i].start();
        }
        synchronized (LOCK) {
            while (waiting < 5) LOCK.wait();
            permits = 2;
            LOCK.notify();
            LOCK.notify();
            LOCK.notifyAll();
            while (woken < 2) LOCK.wait();
            System.out.println(woken + " " + permits);
        }
        int alive = 0;
        for (Thread t : all) { if (t.isAlive()) alive++; t.interrupt(); }
        for (Thread t : all) t.join();
        System.out.println(woken + interrupted + " " + (alive >= 3) + interrupted);
        Object o = new Object();
        Thread w = new Thread(() -> { synchronized (o) { synchronized (o) { try { o.wait(1000_000); System.out.println("notified, still owner " + Thread.holdsLock(o)); } catch (InterruptedException e) { System.out.println("?"); } } } });
        w.start();
        while (w.getState() != Thread.State.TIMED_WAITING) Thread.yield();
        synchronized (o) { o.notify(); }
        w.join();
    }
}
