import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The filter lock, whose threads name themselves the victim before they raise their level.
 *
 * Breaks when: thread-0 names itself the victim; thread-1 does, too, raises its level, sees nobody
 * and goes in; thread-0 raises its level, sees that it is not the victim and goes in, too.
 */
public class FilterLockRushed {
    static final int THREADS = 2;
    static final AtomicIntegerArray level = new AtomicIntegerArray(THREADS);
    static final AtomicIntegerArray victim = new AtomicIntegerArray(THREADS);
    static int inside;

    static void lock(int me) {
        for (int wanted = 1; wanted < THREADS; wanted++) {
            victim.set(wanted, me);
            level.set(me, wanted);
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
                inside++; //~ race
                assert inside == 1 : "two are inside"; //~ assertion race
                inside--; //~ race
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
