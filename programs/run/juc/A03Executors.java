import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Thread pools: submit, invokeAll, invokeAny, shutdown, rejection, cancellation. */
public class A03Executors {
    public static void main(String[] args) throws Exception {
        ExecutorService fixed = Executors.newFixedThreadPool(3);
        List<Future<Integer>> fs = new ArrayList<>();
        for (int i = 0; i < 20; i++) { int n = i; fs.add(fixed.submit(() -> n * n)); }
        int sum = 0;
        for (Future<Integer> f : fs) sum += f.get();
        System.out.println(sum + " " + fs.get(0).isDone());
        List<Callable<String>> tasks = List.of(() -> "a", () -> "b", () -> "c");
        StringBuilder all = new StringBuilder();
        for (Future<String> f : fixed.invokeAll(tasks)) all.append(f.get());
        System.out.println(all + " " + "abc".contains(fixed.invokeAny(tasks)));
        Future<?> bad = fixed.submit(() -> { throw new IllegalStateException("task"); });
        try {
            bad.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage() + " " + e.getCause());
        }
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch never = new CountDownLatch(1), started = new CountDownLatch(1);
        Future<?> blocked = fixed.submit(() -> { started.countDown(); try { never.await(); } catch (InterruptedException e) { interrupted.set(true); } finally { never.countDown(); } });
        started.await();
        try {
            blocked.get(2, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println(e);
        }
        System.out.println(blocked.cancel(true) + " " + blocked.isCancelled() + blocked.isDone());
        try {
            blocked.get();
        } catch (CancellationException e) {
            System.out.println(e);
        }
        never.await();
        System.out.println("task interrupted " + interrupted.get());
        fixed.shutdown();
        System.out.println(fixed.awaitTermination(10, TimeUnit.SECONDS) + " " + fixed.isShutdown() + fixed.isTerminated());
        try {
            fixed.execute(() -> { });
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        ExecutorService single = Executors.newSingleThreadExecutor(r -> new Thread(r, "single-thread"));
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 10; i++) { int n = i; single.execute(() -> order.add(n)); }
        System.out.println(single.submit(() -> Thread.currentThread().getName()).get() + order);
        single.execute(() -> { throw new ThreadDeath(); });
        System.out.println(single.submit(() -> { }, "result").get());
        single.shutdown();
        ExecutorService cached = Executors.newCachedThreadPool();
        AtomicInteger n = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(10);
        for (int i = 0; i < 10; i++) cached.execute(() -> { n.incrementAndGet(); done.countDown(); });
        done.await();
        System.out.println(n + " " + cached.shutdownNow().size());
        ThreadPoolExecutor tpe = new ThreadPoolExecutor(1, 2, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.CallerRunsPolicy());
        CountDownLatch gate = new CountDownLatch(1), atWork = new CountDownLatch(2);
        tpe.execute(() -> { atWork.countDown(); try { gate.await(); } catch (InterruptedException e) { } });
        tpe.execute(() -> { });
        tpe.execute(() -> { atWork.countDown(); try { gate.await(); } catch (InterruptedException e) { } });
        atWork.await();
        Thread[] ranIn = new Thread[1];
        tpe.execute(() -> ranIn[0] = Thread.currentThread());
        System.out.println((ranIn[0] == Thread.currentThread()) + " " + tpe.getPoolSize() + tpe.getQueue().size() + tpe.getActiveCount());
        gate.countDown();
        tpe.shutdown();
        System.out.println(tpe.awaitTermination(10, TimeUnit.SECONDS) + " " + tpe.getCompletedTaskCount() + tpe.getLargestPoolSize());
        ExecutorCompletionService<Integer> ecs = new ExecutorCompletionService<>(cached = Executors.newWorkStealingPool(2));
        for (int i = 0; i < 5; i++) { int k = i; ecs.submit(() -> k); }
        int total = 0;
        for (int i = 0; i < 5; i++) total += ecs.take().get();
        System.out.println(total + " " + ecs.poll());
        cached.shutdown();
    }
}
