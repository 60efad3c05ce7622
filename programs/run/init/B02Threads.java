import java.util.concurrent.*;

/** One thread initializes a class while others wait; all see the result. */
public class B02Threads {
    static class Slow {
        static final int VALUE;
        static final Thread BY = Thread.currentThread();
        static {
            int v = 0;
            for (int i = 0; i < 1000; i++) {
                v += i;
                if (i % 100 == 0) Thread.yield();
            }
            VALUE = v;
            System.out.println("initialized once");
        }
    }
    static class Fails {
        static int x;
        static { Thread.yield(); x = Integer.parseInt(""); }
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        ConcurrentLinkedQueue<Object> seen = new ConcurrentLinkedQueue<>();
        ConcurrentHashMap<String, Integer> errors = new ConcurrentHashMap<>();
        Thread[] all = new Thread[4];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                seen.add(Slow.VALUE);
                try {
                    Fails.x++;
                } catch (Throwable t) {
                    errors.merge(t.getClass().getSimpleName(), 1, Integer::sum);
                }
            });
            all[i].start();
        }
        go.countDown();
        for (Thread t : all) t.join();
        System.out.println(seen + " " + (Slow.BY != Thread.currentThread()));
        System.out.println(new java.util.TreeMap<>(errors));
    }
}
