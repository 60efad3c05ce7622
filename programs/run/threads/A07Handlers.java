/** Uncaught exception handlers: own, group, default. */
public class A07Handlers {
    static void run(Thread t) throws Exception {
        t.start();
        t.join();
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> { throw new RuntimeException("a"); }, "A");
        a.setUncaughtExceptionHandler((t, e) -> System.out.println("own " + t.getName() + " " + e.getMessage()));
        run(a);
        ThreadGroup g = new ThreadGroup("g") { @Override public void uncaughtException(Thread t, Throwable e) { System.out.println("group " + t.getName() + " " + e); } };
        run(new Thread(g, () -> { throw new Error("b"); }, "B"));
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.println("default " + t.getName() + " " + e + " " + Thread.currentThread().getName()));
        run(new Thread(() -> { Object o = null; o.hashCode(); }, "C"));
        Thread d = new Thread(() -> { throw new IllegalStateException("d"); }, "D");
        d.setUncaughtExceptionHandler((t, e) -> { throw new RuntimeException("handler fails"); });
        run(d);
        System.out.println(a.getUncaughtExceptionHandler() + " " + (d.getUncaughtExceptionHandler() == null));
        throw new Exception("main too");
    }
}
