import java.util.*;

/** ThreadLocal and InheritableThreadLocal. */
public class A08ThreadLocals {
    static final ThreadLocal<Integer> PLAIN = ThreadLocal.withInitial(() -> 1);
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>() { @Override protected String childValue(String p) { return p + "'"; } @Override protected String initialValue() { return "init"; } };

    public static void main(String[] args) throws Exception {
        PLAIN.set(5);
        INHERITED.set("main");
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        Thread t = new Thread(() -> {
            seen.add(PLAIN.get() + INHERITED.get());
            PLAIN.set(9);
            INHERITED.set("changed");
            Thread inner = new Thread(() -> seen.add(PLAIN.get() + INHERITED.get()));
            inner.start();
            try { inner.join(); } catch (InterruptedException e) { }
        });
        INHERITED.set("later");
        t.start();
        t.join();
        System.out.println(seen + " " + PLAIN.get() + INHERITED.get());
        PLAIN.remove();
        INHERITED.remove();
        System.out.println(PLAIN.get() + INHERITED.get());
        Thread no = new Thread(null, () -> seen.add(INHERITED.get()), "no inherit", 0, false);
        no.start();
        no.join();
        System.out.println(seen.get(2));
        ThreadLocal<?>[] many = new ThreadLocal<?>[100];
        int sum = 0;
        for (int i = 0; i < many.length; i++) { int n = i; many[i] = ThreadLocal.withInitial(() -> n * n); }
        for (ThreadLocal<?> x : many) sum += (Integer) x.get();
        System.out.println(sum);
    }
}
