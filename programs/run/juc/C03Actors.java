import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

/** A small actor system on an executor: mailboxes, ask, supervision, a ring and a map-reduce. */
public class C03Actors {
    interface Behavior<M> { Behavior<M> receive(M m, Actor<M> self); }
    static final class Actor<M> implements Runnable {
        final Executor ex;
        final ConcurrentLinkedQueue<M> box = new ConcurrentLinkedQueue<>();
        final AtomicBoolean scheduled = new AtomicBoolean();
        final Behavior<M> initial;
        final BiConsumer<M, RuntimeException> supervisor;
        Behavior<M> now;
        Actor(Executor ex, Behavior<M> b, BiConsumer<M, RuntimeException> s) { this.ex = ex; initial = now = b; supervisor = s; }
        void tell(M m) { box.add(m); schedule(); }
        void schedule() { if (!box.isEmpty() && scheduled.compareAndSet(false, true)) ex.execute(this); }
        @Override public void run() {
            for (int i = 0; i < 5; i++) {
                M m = box.poll();
                if (m == null) break;
                try {
                    now = now.receive(m, this);
                } catch (RuntimeException e) {
                    supervisor.accept(m, e);
                    now = initial;
                }
            }
            scheduled.set(false);
            schedule();
        }
    }
    sealed interface Msg permits Add, Get, Fail {}
    record Add(int n) implements Msg {}
    record Get(CompletableFuture<Integer> reply) implements Msg {}
    record Fail(String why) implements Msg {}

    static Behavior<Msg> counter(int total) {
        return (m, self) -> {
            if (m instanceof Add a) return counter(total + a.n());
            if (m instanceof Get g) { g.reply().complete(total); return counter(total); }
            throw new IllegalStateException(((Fail) m).why());
        };
    }

    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(3);
        ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        Actor<Msg> c = new Actor<>(ex, counter(0), (m, e) -> failures.add(m + " " + e.getMessage()));
        Thread[] senders = new Thread[4];
        for (int i = 0; i < 4; i++) { senders[i] = new Thread(() -> { for (int k = 1; k <= 50; k++) c.tell(new Add(k)); }); senders[i].start(); }
        for (Thread t : senders) t.join();
        CompletableFuture<Integer> r = new CompletableFuture<>(), after = new CompletableFuture<>();
        c.tell(new Get(r));
        System.out.println(r.get());
        c.tell(new Fail("boom"));
        c.tell(new Add(3));
        c.tell(new Get(after));
        System.out.println(after.get() + " " + failures);
        int n = 10;
        List<Actor<Integer>> ring = new ArrayList<>();
        CompletableFuture<Integer> end = new CompletableFuture<>();
        AtomicInteger hops = new AtomicInteger();
        for (int i = 0; i < n; i++) {
            int id = i;
            Behavior<Integer>[] b = new Behavior[1];
            b[0] = (m, self) -> { hops.incrementAndGet(); if (m == 0) end.complete(id); else ring.get((id + 1) % n).tell(m - 1); return b[0]; };
            ring.add(new Actor<>(ex, b[0], (m, e) -> end.completeExceptionally(e)));
        }
        ring.get(0).tell(1234);
        System.out.println(end.get() + " " + hops);
        Map<Character, Integer> merged = new TreeMap<>();
        CountDownLatch left = new CountDownLatch(3);
        Behavior<Map<Character, Integer>>[] reduce = new Behavior[1];
        reduce[0] = (m, self) -> { m.forEach((k, v) -> merged.merge(k, v, Integer::sum)); left.countDown(); return reduce[0]; };
        Actor<Map<Character, Integer>> reducer = new Actor<>(ex, reduce[0], (m, e) -> left.countDown());
        for (String s : new String[] {"hello", "actor", "world"}) {
            Behavior<String> mapper = (m, self) -> { Map<Character, Integer> f = new HashMap<>(); for (char x : m.toCharArray()) f.merge(x, 1, Integer::sum); reducer.tell(f); return null; };
            new Actor<>(ex, mapper, (m, e) -> left.countDown()).tell(s);
        }
        left.await();
        System.out.println(merged);
        ex.shutdown();
        System.out.println(ex.awaitTermination(10, TimeUnit.SECONDS));
    }
}
