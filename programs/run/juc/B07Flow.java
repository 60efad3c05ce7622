import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

/** Flow: SubmissionPublisher, a processor, back-pressure, errors. */
public class B07Flow {
    static class Collect<T> implements Flow.Subscriber<T> {
        final List<T> items = new ArrayList<>();
        final CompletableFuture<String> end = new CompletableFuture<>();
        final int batch;
        Flow.Subscription s;
        Collect(int batch) { this.batch = batch; }
        public void onSubscribe(Flow.Subscription s) { this.s = s; s.request(batch); }
        public void onNext(T t) { items.add(t); if (items.size() % batch == 0) s.request(batch); }
        public void onError(Throwable t) { end.complete("error " + t.getMessage()); }
        public void onComplete() { end.complete("complete"); }
    }
    static class Map2<A, B> extends SubmissionPublisher<B> implements Flow.Processor<A, B> {
        final Function<A, B> f;
        Flow.Subscription s;
        Map2(Function<A, B> f) { this.f = f; }
        public void onSubscribe(Flow.Subscription s) { this.s = s; s.request(1); }
        public void onNext(A a) { submit(f.apply(a)); s.request(1); }
        public void onError(Throwable t) { closeExceptionally(t); }
        public void onComplete() { close(); }
    }

    public static void main(String[] args) throws Exception {
        Collect<String> c = new Collect<>(3), second = new Collect<>(100);
        try (SubmissionPublisher<Integer> p = new SubmissionPublisher<>(ForkJoinPool.commonPool(), 4)) {
            Map2<Integer, String> m = new Map2<>(i -> "#" + i);
            m.subscribe(c);
            m.subscribe(second);
            p.subscribe(m);
            for (int i = 0; i < 30; i++) p.submit(i);
            System.out.println(p.hasSubscribers() + " " + p.getNumberOfSubscribers() + p.getMaxBufferCapacity());
        }
        System.out.println(c.end.get() + " " + c.items.size() + c.items.get(29) + second.end.get() + second.items.equals(c.items));
        SubmissionPublisher<Integer> bad = new SubmissionPublisher<>();
        Collect<Integer> e = new Collect<>(1);
        bad.subscribe(e);
        bad.submit(1);
        bad.closeExceptionally(new IllegalStateException("broken"));
        System.out.println(e.end.get() + " " + bad.isClosed());
        SubmissionPublisher<Integer> n = new SubmissionPublisher<>();
        int[] sum = {0};
        CompletableFuture<Void> done = n.consume(x -> sum[0] += x);
        for (int i = 1; i <= 10; i++) n.submit(i);
        n.close();
        done.get();
        System.out.println(sum[0]);
        try {
            n.submit(1);
        } catch (IllegalStateException x) {
            System.out.println(x.getMessage());
        }
    }
}
