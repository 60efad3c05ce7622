import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** CountDownLatch, Semaphore, CyclicBarrier. */
public class A01Latches {
    public static void main(String[] args) throws Exception {
        CountDownLatch start = new CountDownLatch(1), end = new CountDownLatch(4);
        AtomicInteger n = new AtomicInteger();
        for (int i = 0; i < 4; i++) new Thread(() -> { try { start.await(); n.incrementAndGet(); end.countDown(); } catch (InterruptedException e) { } }).start();
        System.out.println(n.get() + " " + end.getCount() + start.await(2, TimeUnit.MILLISECONDS));
        start.countDown();
        end.await();
        System.out.println(n.get() + " " + end.toString().replaceAll("@[0-9a-f]+", "@X"));
        Semaphore s = new Semaphore(2);
        AtomicInteger inside = new AtomicInteger(), max = new AtomicInteger();
        Thread[] all = new Thread[6];
        for (int i = 0; i < 6; i++) {
            all[i] = new Thread(() -> { for (int k = 0; k < 50; k++) { s.acquireUninterruptibly(); max.accumulateAndGet(inside.incrementAndGet(), Math::max); Thread.yield(); inside.decrementAndGet(); s.release(); } });
            all[i].start();
        }
        for (Thread t : all) t.join();
        System.out.println((max.get() <= 2) + " " + s.availablePermits() + s.tryAcquire(3) + s.tryAcquire(2) + s.tryAcquire(1, TimeUnit.MILLISECONDS) + s.drainPermits());
        s.release(5);
        System.out.println(s.availablePermits() + " " + s.toString().replaceAll("@[0-9a-f]+", "@X"));
        List<Integer> rounds = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger sum = new AtomicInteger();
        CyclicBarrier b = new CyclicBarrier(3, () -> rounds.add(sum.get()));
        Thread[] parties = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int id = i + 1;
            parties[i] = new Thread(() -> { try { for (int k = 0; k < 5; k++) { sum.addAndGet(id); b.await(); b.await(); } } catch (Exception e) { System.out.println(e); } });
            parties[i].start();
        }
        for (Thread t : parties) t.join();
        System.out.println(rounds + " " + b.getParties() + b.getNumberWaiting() + b.isBroken());
        CyclicBarrier broken = new CyclicBarrier(2);
        Thread w = new Thread(() -> { try { broken.await(); } catch (InterruptedException e) { System.out.println("interrupted"); } catch (BrokenBarrierException e) { System.out.println("broken"); } });
        w.start();
        while (broken.getNumberWaiting() == 0) Thread.yield();
        w.interrupt();
        w.join();
        try {
            broken.await();
        } catch (BrokenBarrierException e) {
            System.out.println(e + " " + broken.isBroken());
        }
        broken.reset();
        try {
            broken.await(1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println(e);
        }
    }
}
