import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Scheduled executors and timers: order by delay, periods, cancellation. */
public class B05Scheduled {
    public static void main(String[] args) throws Exception {
        ScheduledExecutorService s = Executors.newScheduledThreadPool(1);
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch open = new CountDownLatch(1);
        s.execute(() -> { try { open.await(); } catch (InterruptedException e) { } });
        ScheduledFuture<?> late, early;
        ScheduledFuture<Integer> value;
        // The only thread is held back; where the machine paused between two calls, once more.
        while (true) {
            long start = System.nanoTime();
            late = s.schedule(() -> log.add("late"), 60, TimeUnit.MILLISECONDS);
            early = s.schedule(() -> log.add("early"), 1, TimeUnit.MILLISECONDS);
            value = s.schedule(() -> { log.add("value"); return 42; }, 30, TimeUnit.MILLISECONDS);
            if (System.nanoTime() - start < 25_000_000) break;
            late.cancel(false);
            early.cancel(false);
            value.cancel(false);
        }
        open.countDown();
        System.out.println(value.get() + " " + value.isDone());
        late.get();
        System.out.println(log);
        CountDownLatch five = new CountDownLatch(5);
        ScheduledFuture<?> rate = s.scheduleAtFixedRate(five::countDown, 0, 2, TimeUnit.MILLISECONDS);
        five.await();
        System.out.println(rate.cancel(false) + " " + rate.isCancelled());
        AtomicInteger runs = new AtomicInteger();
        ScheduledFuture<?> failing = s.scheduleWithFixedDelay(() -> { if (runs.incrementAndGet() == 3) throw new IllegalStateException("third"); }, 1, 1, TimeUnit.MILLISECONDS);
        try {
            failing.get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause() + " " + runs);
        }
        ScheduledFuture<?> never = s.schedule(() -> log.add("never"), 1, TimeUnit.HOURS);
        System.out.println((never.getDelay(TimeUnit.MINUTES) >= 58) + " " + s.shutdownNow().size() + s.awaitTermination(10, TimeUnit.SECONDS) + log.size());
        Timer t = new Timer("timer", true);
        CountDownLatch ticks = new CountDownLatch(3);
        TimerTask task = new TimerTask() { @Override public void run() { ticks.countDown(); if (ticks.getCount() == 0) cancel(); } };
        t.schedule(task, 1, 2);
        ticks.await();
        CountDownLatch once = new CountDownLatch(1);
        t.schedule(new TimerTask() { @Override public void run() { once.countDown(); } }, 5);
        once.await();
        System.out.println(task.cancel() + " " + t.purge());
        t.cancel();
        try {
            t.schedule(new TimerTask() { @Override public void run() { } }, 1);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
