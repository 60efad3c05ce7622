import java.util.*;

/** Stack dumps of other threads, filtered to what is certain; ThreadGroup enumeration; dumpStack. */
public class B05Dump {
    static final Object LOCK = new Object();
    static volatile boolean in;

    static void parkHere() throws InterruptedException {
        synchronized (LOCK) {
            in = true;
            LOCK.wait();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> { try { parkHere(); } catch (InterruptedException e) { } }, "parker");
        t.start();
        while (t.getState() != Thread.State.WAITING) Thread.yield();
        List<String> names = new ArrayList<>();
        for (StackTraceElement e : t.getStackTrace()) if (e.getClassName().equals("B05Dump")) names.add(e.getMethodName() + ":" + e.getLineNumber());
        System.out.println(names);
        Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
        System.out.println(all.containsKey(t) + " " + all.containsKey(Thread.currentThread()) + Arrays.stream(all.get(t)).anyMatch(e -> e.getMethodName().equals("parkHere")));
        Thread[] found = new Thread[10];
        int n = Thread.enumerate(found);
        System.out.println(n + " " + Thread.activeCount() + Arrays.stream(found, 0, n).map(Thread::getName).sorted().toList());
        StackTraceElement here = Thread.currentThread().getStackTrace()[1];
        System.out.println(here);
        t.interrupt();
        t.join();
        System.out.println(t.getStackTrace().length + " " + new Thread().getStackTrace().length);
    }
}
