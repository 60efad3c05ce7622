import java.util.concurrent.atomic.AtomicInteger;

/**
 * A ticket lock around a plain counter.
 *
 * Correct: tickets are handed out atomically and served in order; the counter is ordered by the
 * volatile field now.
 */
public class TicketLock {
    static final AtomicInteger next = new AtomicInteger();
    static volatile int now;
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Runnable user = () -> {
            int mine = next.getAndIncrement();
            while (now != mine) {
                Thread.onSpinWait();
            }
            count++;
            now = mine + 1;
        };
        Thread a = new Thread(user, "a");
        Thread b = new Thread(user, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2 : "lost update";
    }
}
