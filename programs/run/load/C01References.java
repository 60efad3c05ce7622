import java.lang.ref.*;
import java.util.*;

/** References with strong holders, Cleaner, finalization not relied upon. */
public class C01References {
    static class Resource implements AutoCloseable {
        static final Cleaner CLEANER = Cleaner.create();
        final Cleaner.Cleanable c;
        Resource(String n) { c = CLEANER.register(this, () -> System.out.println("cleaned " + n)); }
        @Override public void close() { c.clean(); }
    }

    public static void main(String[] args) throws Exception {
        Object strong = new Object();
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        WeakReference<Object> w = new WeakReference<>(strong, q);
        SoftReference<Object> s = new SoftReference<>(strong);
        PhantomReference<Object> p = new PhantomReference<>(strong, q);
        System.gc();
        System.out.println((w.get() == strong) + " " + (s.get() == strong) + " " + p.get() + q.poll() + w.refersTo(strong) + w.isEnqueued());
        w.clear();
        System.out.println(w.get() + " " + w.refersTo(null) + w.enqueue());
        WeakReference<Object> e = new WeakReference<>(strong, q);
        System.out.println(e.enqueue() + " " + e.enqueue() + (q.poll() == e) + (q.remove(1) == w));
        try (Resource r = new Resource("a")) {
            System.out.println("using");
        }
        Resource r = new Resource("b");
        r.close();
        r.close();
        Reference.reachabilityFence(strong);
        ThreadLocal<List<String>> t = ThreadLocal.withInitial(ArrayList::new);
        t.get().add("x");
        System.out.println(t.get());
        t.remove();
        System.out.println(t.get());
        Map<Object, String> weak = new WeakHashMap<>();
        weak.put(strong, "v");
        System.gc();
        System.out.println(weak.size());
    }
}
