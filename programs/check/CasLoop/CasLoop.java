import java.util.concurrent.atomic.AtomicInteger;

/**
 * An increment by compare-and-set in a loop.
 *
 * Correct: it goes on until its own compareAndSet worked. Each failure means that the other thread
 * made progress, so the loop ends in every schedule.
 */
public class CasLoop {
    static final AtomicInteger count = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        Runnable increment = () -> {
            int seen;
            do {
                seen = count.get();
            } while (!count.compareAndSet(seen, seen + 1));
        };
        Thread a = new Thread(increment, "a");
        Thread b = new Thread(increment, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert count.get() == 2 : "lost update";
    }
}
