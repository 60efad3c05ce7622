import java.util.*;

/** A thread pool written by hand with wait and notify: tasks with priorities, shutdown, results. */
public class C02Scheduler {
    static class Result<T> {
        private T value;
        private Throwable error;
        private boolean done;
        synchronized void set(T v, Throwable e) { value = v; error = e; done = true; notifyAll(); }
        synchronized T get() throws InterruptedException {
            while (!done) wait();
            if (error != null) throw new IllegalStateException(error.getMessage(), error);
            return value;
        }
    }
    interface Task<T> { T run() throws Exception; }
    private record Job(int priority, long order, Runnable body) implements Comparable<Job> {
        public int compareTo(Job o) { return priority != o.priority ? o.priority - priority : Long.compare(order, o.order); }
    }
    private final PriorityQueue<Job> queue = new PriorityQueue<>();
    private final List<Thread> workers = new ArrayList<>();
    private boolean closed;
    private long submitted;
    private int running, most;

    C02Scheduler(int n) {
        for (int i = 0; i < n; i++) { Thread t = new Thread(this::work, "worker-" + i); workers.add(t); t.start(); }
    }
    private void work() {
        while (true) {
            Job j;
            synchronized (this) {
                while (queue.isEmpty() && !closed) { try { wait(); } catch (InterruptedException e) { return; } }
                if (queue.isEmpty()) return;
                j = queue.poll();
                most = Math.max(most, ++running);
            }
            try {
                j.body().run();
            } finally {
                synchronized (this) { running--; notifyAll(); }
            }
        }
    }
    <T> Result<T> submit(int priority, Task<T> t) {
        Result<T> r = new Result<>();
        synchronized (this) {
            if (closed) throw new IllegalStateException("closed");
            queue.add(new Job(priority, submitted++, () -> { try { r.set(t.run(), null); } catch (Throwable e) { r.set(null, e); } }));
            notify();
        }
        return r;
    }
    void close() throws InterruptedException {
        synchronized (this) { closed = true; notifyAll(); }
        for (Thread t : workers) t.join();
    }
    synchronized void drain() throws InterruptedException { while (running > 0 || !queue.isEmpty()) wait(); }

    public static void main(String[] args) throws Exception {
        C02Scheduler s = new C02Scheduler(3);
        List<Result<Integer>> rs = new ArrayList<>();
        for (int i = 0; i < 40; i++) { int n = i; rs.add(s.submit(i % 3, () -> { if (n % 13 == 5) throw new java.io.IOException("task " + n); int x = 1; for (int k = 0; k < n * 10; k++) x = x * 31 + k; return x; })); }
        long sum = 0;
        int failed = 0;
        for (Result<Integer> r : rs) { try { sum += r.get(); } catch (IllegalStateException e) { failed++; if (!(e.getCause() instanceof java.io.IOException)) throw e; } }
        System.out.println(sum + " " + failed);
        s.drain();
        System.out.println((s.most <= 3) + " " + s.running + s.queue.size());
        s.close();
        try {
            s.submit(0, () -> 1);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        C02Scheduler one = new C02Scheduler(1);
        StringBuffer order = new StringBuffer();
        Result<String> gate = one.submit(9, () -> { synchronized (order) { while (order.length() == 0) order.wait(); } return "opened"; });
        for (int i = 0; i < 9; i++) { int n = i; one.submit(n % 3, () -> order.append(n)); }
        synchronized (order) { order.append(':'); order.notifyAll(); }
        System.out.println(gate.get());
        one.close();
        System.out.println(order);
        for (Thread t : one.workers) System.out.println(t.getName() + " " + t.getState());
    }
}
