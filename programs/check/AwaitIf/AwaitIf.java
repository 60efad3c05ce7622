import java.util.concurrent.locks.*;

/**
 * Hands out at most LIMIT slots; whoever finds none waits for one that is given back.
 *
 * Breaks when: a third one takes the slot before the one that was signalled is back, which does not look again.
 */
public class AwaitIf {
    static final int LIMIT = 1;
    private final Lock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private int used;

    void enter() throws InterruptedException {
        lock.lock();
        try {
            if (used == LIMIT) freed.await();
            used++;
            assert used <= LIMIT : used + " slots in use"; //~ assertion
        } finally { lock.unlock(); }
    }

    void leave() {
        lock.lock();
        try { used--; freed.signal(); } finally { lock.unlock(); }
    }

    public static void main(String[] args) throws Exception {
        AwaitIf limiter = new AwaitIf();
        Runnable client = () -> {
            try { limiter.enter(); limiter.leave(); } catch (InterruptedException e) { throw new RuntimeException(e); }
        };
        Thread[] clients = { new Thread(client, "a"), new Thread(client, "b"), new Thread(client, "c") };
        for (Thread t : clients) t.start();
        for (Thread t : clients) t.join();
    }
}
