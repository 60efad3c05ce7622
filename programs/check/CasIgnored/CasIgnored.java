import java.util.concurrent.atomic.AtomicInteger;

/**
 * An increment by compare-and-set that does not look whether it worked.
 *
 * Breaks when: both read 0; the second compareAndSet fails and its increment is lost.
 */
public class CasIgnored {
    static final AtomicInteger count = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        Runnable increment = () -> {
            int seen = count.get();
            count.compareAndSet(seen, seen + 1);
        };
        Thread a = new Thread(increment, "a");
        Thread b = new Thread(increment, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert count.get() == 2 : "lost update"; //~ assertion
    }
}
