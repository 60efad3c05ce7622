import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Conditions: a bounded queue, time-outs, interrupts, signal and signalAll. */
public class A02Condition {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition NOT_EMPTY = LOCK.newCondition(), NOT_FULL = LOCK.newCondition();
    static final Deque<Integer> ITEMS = new ArrayDeque<>();

    static void put(int v) throws InterruptedException {
        LOCK.lock();
        try {
            while (ITEMS.size() == 2) NOT_FULL.await();
            ITEMS.add(v);
            NOT_EMPTY.signal();
        } finally {
            LOCK.unlock();
        }
    }
    static int take() throws InterruptedException {
        LOCK.lock();
        try {
            while (ITEMS.isEmpty()) NOT_EMPTY.await();
            NOT_FULL.signal();
            return ITEMS.poll();
        } finally {
            LOCK.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread p = new Thread(() -> { try { for (int i = 0; i < 100; i++) put(i); put(-1); } catch (InterruptedException e) { } });
        p.start();
        long sum = 0;
        for (int v; (v = take()) >= 0;) sum = sum * 3 + v;
        System.out.println(sum);
        p.join();
        LOCK.lock();
        try {
            System.out.println(NOT_EMPTY.await(5, TimeUnit.MILLISECONDS) + " " + (NOT_EMPTY.awaitNanos(1000) <= 0) + NOT_EMPTY.awaitUntil(new Date(0)));
        } finally {
            LOCK.unlock();
        }
        try {
            NOT_EMPTY.signal();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e);
        }
        int[] woken = {0};
        Thread[] all = new Thread[3];
        for (int i = 0; i < 3; i++) {
            all[i] = new Thread(() -> { LOCK.lock(); try { NOT_EMPTY.awaitUninterruptibly(); woken[0]++; } finally { LOCK.unlock(); } });
            all[i].start();
        }
        LOCK.lock();
        while (LOCK.getWaitQueueLength(NOT_EMPTY) < 3) { LOCK.unlock(); Thread.yield(); LOCK.lock(); }
        System.out.println(LOCK.hasWaiters(NOT_EMPTY));
        NOT_EMPTY.signalAll();
        LOCK.unlock();
        for (Thread t : all) t.join();
        System.out.println(woken[0]);
        Thread i = new Thread(() -> { LOCK.lock(); try { NOT_FULL.await(); } catch (InterruptedException e) { System.out.println("interrupted, holds " + LOCK.isHeldByCurrentThread()); } finally { LOCK.unlock(); } });
        i.start();
        while (i.getState() != Thread.State.WAITING) Thread.yield();
        i.interrupt();
        i.join();
    }
}
