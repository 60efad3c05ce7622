import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Phaser and Exchanger. */
public class B06PhaserExchanger {
    public static void main(String[] args) throws Exception {
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger sum = new AtomicInteger();
        Phaser p = new Phaser(1) { @Override protected boolean onAdvance(int phase, int parties) { log.add(phase + ":" + parties + ":" + sum.get()); return phase >= 3 || parties == 0; } };
        Thread[] all = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int id = i + 1;
            p.register();
            all[i] = new Thread(() -> { while (!p.isTerminated()) { sum.addAndGet(id); p.arriveAndAwaitAdvance(); } });
        }
        for (Thread t : all) t.start();
        p.arriveAndDeregister();
        for (Thread t : all) t.join();
        System.out.println(log + " " + p.isTerminated() + (p.getPhase() < 0));
        Phaser q = new Phaser(2);
        System.out.println(q.arrive() + " " + q.getArrivedParties() + q.getUnarrivedParties() + q.getPhase() + q.arrive() + q.getPhase() + q.awaitAdvance(0));
        try {
            q.awaitAdvanceInterruptibly(1, 1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println(e);
        }
        Phaser root = new Phaser(), child = new Phaser(root, 1);
        System.out.println(root.getRegisteredParties() + " " + (child.getRoot() == root) + child.arrive() + root.getPhase());
        q.forceTermination();
        System.out.println(q.register() < 0);
        Exchanger<List<Integer>> x = new Exchanger<>();
        long[] total = {0};
        Thread consumer = new Thread(() -> {
            List<Integer> empty = new ArrayList<>();
            try {
                for (int r = 0; r < 5; r++) {
                    empty = x.exchange(empty);
                    for (int v : empty) total[0] += v;
                    empty.clear();
                }
            } catch (InterruptedException e) { }
        });
        consumer.start();
        List<Integer> full = new ArrayList<>();
        for (int r = 0; r < 5; r++) {
            for (int i = 0; i < 10; i++) full.add(r * 10 + i);
            full = x.exchange(full);
            if (!full.isEmpty()) System.out.println("not empty");
        }
        consumer.join();
        System.out.println(total[0]);
        try {
            x.exchange(null, 2, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println(e);
        }
    }
}
