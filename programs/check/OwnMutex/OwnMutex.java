import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * Threads that count under a mutex of the program's own, built on AbstractQueuedSynchronizer. Correct:
 * whoever has set the state from 0 to 1 is alone until it sets it back. What a call does depends on who
 * came before it, in the queue too; any number of workers finds the same schedules.
 */
public class OwnMutex {
    static final class Mutex extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int n) {
            return compareAndSetState(0, 1);
        }

        @Override
        protected boolean tryRelease(int n) {
            setState(0);
            return true;
        }
    }

    static final Mutex mutex = new Mutex();
    static int count;

    static void work() {
        mutex.acquire(1);
        count++;
        mutex.release(1);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(OwnMutex::work);
            threads[i].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        if (count != threads.length) {
            throw new AssertionError(count);
        }
    }
}
