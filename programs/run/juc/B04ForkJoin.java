import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** ForkJoinPool: recursive tasks and actions, CountedCompleter, exceptions. */
public class B04ForkJoin {
    static class Fib extends RecursiveTask<Integer> {
        final int n;
        Fib(int n) { this.n = n; }
        @Override protected Integer compute() {
            if (n < 2) return n;
            Fib a = new Fib(n - 1);
            a.fork();
            return new Fib(n - 2).compute() + a.join();
        }
    }
    static class Sort extends RecursiveAction {
        final int[] a; final int lo, hi;
        Sort(int[] a, int lo, int hi) { this.a = a; this.lo = lo; this.hi = hi; }
        @Override protected void compute() {
            if (hi - lo < 16) { Arrays.sort(a, lo, hi); return; }
            int mid = (lo + hi) >>> 1;
            invokeAll(new Sort(a, lo, mid), new Sort(a, mid, hi));
            int[] left = Arrays.copyOfRange(a, lo, mid);
            for (int i = 0, j = mid, k = lo; i < left.length; k++) a[k] = j == hi || left[i] <= a[j] ? left[i++] : a[j++];
        }
    }
    static class Count extends CountedCompleter<Integer> {
        final int lo, hi; final AtomicInteger out;
        Count(CountedCompleter<?> p, int lo, int hi, AtomicInteger out) { super(p); this.lo = lo; this.hi = hi; this.out = out; }
        @Override public void compute() {
            if (hi - lo > 10) { int m = (lo + hi) / 2; setPendingCount(2); new Count(this, lo, m, out).fork(); new Count(this, m, hi, out).fork(); }
            else for (int i = lo; i < hi; i++) if (i % 3 == 0) out.incrementAndGet();
            tryComplete();
        }
        @Override public Integer getRawResult() { return out.get(); }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool p = new ForkJoinPool(3);
        System.out.println(p.invoke(new Fib(15)) + " " + p.submit(new Fib(10)).get() + " " + new Fib(8).invoke());
        int[] a = new Random(3).ints(1000, 0, 10000).toArray(), b = a.clone();
        p.invoke(new Sort(a, 0, a.length));
        Arrays.sort(b);
        System.out.println(Arrays.equals(a, b));
        System.out.println(p.invoke(new Count(null, 0, 1000, new AtomicInteger())));
        try {
            p.invoke(new RecursiveAction() { @Override protected void compute() { throw new IllegalArgumentException("inside"); } });
        } catch (IllegalArgumentException e) {
            System.out.println(e.getClass());
        }
        RecursiveTask<Integer> t = new Fib(5);
        System.out.println(t.isDone() + " " + t.fork().join() + t.isCompletedNormally() + ForkJoinTask.inForkJoinPool() + p.submit(() -> ForkJoinTask.inForkJoinPool()).get() + p.getParallelism());
        System.out.println(ForkJoinPool.commonPool().invoke(new Fib(12)) + " " + ForkJoinTask.invokeAll(List.of(new Fib(3), new Fib(4))).stream().mapToInt(ForkJoinTask::join).sum());
        ForkJoinTask<String> adapted = ForkJoinTask.adapt(() -> "adapted");
        System.out.println(p.invoke((ForkJoinTask<String>) adapted) + " " + adapted.getException());
        p.shutdown();
        System.out.println(p.awaitTermination(10, TimeUnit.SECONDS) + " " + p.isTerminated());
        System.out.println(p.getAsyncMode());
    }
}
