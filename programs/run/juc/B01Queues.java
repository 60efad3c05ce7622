import java.util.*;
import java.util.concurrent.*;

/** Every BlockingQueue under producers and consumers; and their single-threaded contracts. */
public class B01Queues {
    static void exchange(BlockingQueue<Integer> q) throws Exception {
        int producers = 2, each = 100;
        long[] sum = new long[2];
        Thread[] all = new Thread[4];
        for (int i = 0; i < 2; i++) {
            int id = i;
            all[i] = new Thread(() -> { try { for (int k = 1; k <= each; k++) q.put(k); } catch (InterruptedException e) { } });
            all[2 + i] = new Thread(() -> { try { for (int k = 0; k < each; k++) sum[id] += q.take(); } catch (InterruptedException e) { } });
        }
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
        System.out.println(q.getClass().getSimpleName() + " " + (sum[0] + sum[1]) + " " + q.size() + " " + q.poll(1, TimeUnit.MILLISECONDS));
    }
    record Job(int p, String n) implements Comparable<Job> { public int compareTo(Job o) { return p - o.p; } }
    record Later(long at, String n) implements Delayed {
        public long getDelay(TimeUnit u) { return u.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS); }
        public int compareTo(Delayed d) { return Long.compare(at, ((Later) d).at); }
    }

    public static void main(String[] args) throws Exception {
        exchange(new ArrayBlockingQueue<>(3));
        exchange(new ArrayBlockingQueue<>(1, true));
        exchange(new LinkedBlockingQueue<>());
        exchange(new LinkedBlockingQueue<>(2));
        exchange(new LinkedBlockingDeque<>(2));
        exchange(new PriorityBlockingQueue<>());
        exchange(new SynchronousQueue<>());
        exchange(new SynchronousQueue<>(true));
        exchange(new LinkedTransferQueue<>());
        ArrayBlockingQueue<Integer> q = new ArrayBlockingQueue<>(2);
        System.out.println(q.offer(1) + " " + q.offer(2) + q.offer(3) + q.offer(3, 1, TimeUnit.MILLISECONDS) + q.peek() + q.remainingCapacity() + q);
        try {
            q.add(4);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        List<Integer> drained = new ArrayList<>();
        System.out.println(q.drainTo(drained, 1) + " " + drained + q.remove(2) + q.poll());
        PriorityBlockingQueue<Job> p = new PriorityBlockingQueue<>(List.of(new Job(3, "c"), new Job(1, "a"), new Job(2, "b")));
        System.out.println(p.take().n() + p.take().n() + p.take().n());
        DelayQueue<Later> d = new DelayQueue<>();
        long now = System.nanoTime();
        d.add(new Later(now + 20_000_000, "second"));
        d.add(new Later(now + 5_000_000, "first"));
        d.add(new Later(now + 3_600_000_000_000L, "never"));
        System.out.println(d.take().n() + " " + d.take().n() + d.poll() + d.size());
        LinkedTransferQueue<String> t = new LinkedTransferQueue<>();
        Thread consumer = new Thread(() -> { try { System.out.println("took " + t.take()); } catch (InterruptedException e) { } });
        System.out.println(t.tryTransfer("x"));
        consumer.start();
        t.transfer("y");
        consumer.join();
        LinkedBlockingDeque<Integer> dq = new LinkedBlockingDeque<>(3);
        dq.putFirst(1);
        dq.putLast(2);
        dq.addFirst(0);
        System.out.println(dq + " " + dq.offerLast(9) + dq.takeLast() + dq.pollFirst() + dq.peekFirst());
        try {
            q.put(null);
        } catch (NullPointerException e) {
            System.out.println("no nulls");
        }
        Thread w = new Thread(() -> { try { new SynchronousQueue<>().put(1); } catch (InterruptedException e) { System.out.println("put interrupted"); } });
        w.start();
        while (w.getState() != Thread.State.WAITING) Thread.yield();
        w.interrupt();
        w.join();
    }
}
