import java.util.concurrent.locks.LockSupport;

/** LockSupport: permits, blockers, interrupts, time-outs. */
public class A03Park {
    public static void main(String[] args) throws Exception {
        LockSupport.unpark(Thread.currentThread());
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        System.out.println("permit used");
        LockSupport.parkNanos(1_000_000);
        LockSupport.parkUntil(0);
        LockSupport.parkNanos(0);
        System.out.println("timed out");
        Thread.currentThread().interrupt();
        LockSupport.park();
        System.out.println("interrupted " + Thread.interrupted());
        Object blocker = "blocker";
        Thread t = new Thread(() -> { while (!Thread.currentThread().isInterrupted()) LockSupport.park(blocker); System.out.println("out"); });
        t.start();
        while (LockSupport.getBlocker(t) == null) Thread.yield();
        System.out.println(LockSupport.getBlocker(t));
        LockSupport.unpark(t);
        t.interrupt();
        t.join();
        Thread never = new Thread(() -> System.out.println("ran " + 1));
        LockSupport.unpark(never);
        LockSupport.unpark(null);
        never.start();
        never.join();
        Thread[] ring = new Thread[4];
        StringBuffer log = new StringBuffer();
        for (int i = 0; i < 4; i++) {
            int id = i;
            ring[i] = new Thread(() -> { LockSupport.park(); log.append(id); if (id < 3) LockSupport.unpark(ring[id + 1]); });
        }
        for (Thread r : ring) r.start();
        LockSupport.unpark(ring[0]);
        for (Thread r : ring) r.join(100);
        while (log.length() < 4) { for (Thread r : ring) LockSupport.unpark(r); Thread.yield(); }
        for (Thread r : ring) r.join();
        System.out.println(log.length());
    }
}
