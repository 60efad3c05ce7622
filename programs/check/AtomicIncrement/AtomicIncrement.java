import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two threads increment an atomic integer.
 *
 * Correct: each increment is one operation.
 */
public class AtomicIncrement {
    static final AtomicInteger count = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(count::incrementAndGet, "a");
        Thread b = new Thread(count::incrementAndGet, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert count.get() == 2 : "lost update";
    }
}
