import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The filter lock (Herlihy and Shavit): a level per thread, a victim per level, and a loop that
 * looks at several elements of one array in each round.
 *
 * Never breaks: whoever waits is the victim of its level while somebody else is there.
 */
public class FilterLock {
    static final int THREADS = 2;
    static final AtomicIntegerArray level = new AtomicIntegerArray(THREADS);
    static final AtomicIntegerArray victim = new AtomicIntegerArray(THREADS);
    static int inside;

    static void lock(int me) {
        for (int wanted = 1; wanted < THREADS; wanted++) {
            level.set(me, wanted);
            victim.set(wanted, me);
            for (int other = 0; other < THREADS; other++) {
                while (other != me && level.get(other) >= wanted && victim.get(wanted) == me) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    static void unlock(int me) {
        level.set(me, 0);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                lock(me);
                inside++;
                assert inside == 1 : "two are inside";
                inside--;
                unlock(me);
            }, "thread-" + i);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
