import java.util.concurrent.atomic.*;

/** Atomic classes, adders, accumulators, field updaters. */
public class A02Atomics {
    volatile int f;
    volatile long g;
    volatile String r = "r";

    static void parallel(int n, Runnable r) throws InterruptedException {
        Thread[] all = new Thread[n];
        for (int i = 0; i < n; i++) { all[i] = new Thread(r); all[i].start(); }
        for (Thread t : all) t.join();
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.getAndIncrement() + " " + i.incrementAndGet() + i.addAndGet(10) + i.getAndUpdate(x -> x * 2) + i.updateAndGet(x -> x - 1) + i.accumulateAndGet(3, Math::max) + i.compareAndSet(33, 7) + i.getAndAccumulate(4, (a, b) -> a * b) + i + i.getPlain() + i.compareAndExchange(28, 9));
        AtomicLong l = new AtomicLong();
        AtomicIntegerArray a = new AtomicIntegerArray(3);
        AtomicReference<String> ref = new AtomicReference<>("a");
        LongAdder adder = new LongAdder();
        LongAccumulator max = new LongAccumulator(Long::max, Long.MIN_VALUE);
        DoubleAdder da = new DoubleAdder();
        AtomicIntegerFieldUpdater<A02Atomics> fu = AtomicIntegerFieldUpdater.newUpdater(A02Atomics.class, "f");
        AtomicLongFieldUpdater<A02Atomics> gu = AtomicLongFieldUpdater.newUpdater(A02Atomics.class, "g");
        AtomicReferenceFieldUpdater<A02Atomics, String> ru = AtomicReferenceFieldUpdater.newUpdater(A02Atomics.class, String.class, "r");
        A02Atomics o = new A02Atomics();
        parallel(4, () -> {
            for (int k = 0; k < 500; k++) {
                l.incrementAndGet();
                a.addAndGet(k % 3, k);
                adder.increment();
                max.accumulate(k * 7 % 501);
                da.add(0.5);
                fu.incrementAndGet(o);
                gu.addAndGet(o, 2);
                ref.updateAndGet(s -> s.length() > 10 ? "b" : s + "c");
                if (k % 100 == 0) Thread.yield();
            }
        });
        System.out.println(l + " " + a + adder + " " + max + " " + da + " " + o.f + " " + o.g + " " + ref.get().length());
        System.out.println(ru.compareAndSet(o, "r", "s") + o.r + adder.sumThenReset() + adder.sum() + max.getThenReset());
        AtomicStampedReference<String> st = new AtomicStampedReference<>("x", 1);
        int[] h = new int[1];
        System.out.println(st.compareAndSet("x", "y", 1, 2) + st.get(h) + h[0] + st.compareAndSet("y", "z", 1, 3) + st.attemptStamp("y", 9) + st.getStamp());
        AtomicMarkableReference<String> m = new AtomicMarkableReference<>("m", false);
        System.out.println(m.attemptMark("m", true) + " " + m.isMarked() + m.compareAndSet("m", "n", true, false) + m.getReference());
        AtomicBoolean b = new AtomicBoolean();
        System.out.println(b.getAndSet(true) + " " + b.compareAndSet(false, true) + b);
        AtomicReferenceArray<String> ra = new AtomicReferenceArray<>(new String[] {"p", null});
        System.out.println(ra.getAndSet(1, "q") + ra + ra.compareAndSet(0, "p", "t") + ra.get(0) + new AtomicLongArray(new long[] {1, 2}).getAndAdd(1, 5));
        try {
            AtomicIntegerFieldUpdater.newUpdater(String.class, "nope");
        } catch (RuntimeException e) {
            System.out.println(e.getCause());
        }
        try {
            a.get(3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
