import java.util.concurrent.locks.ReentrantLock;

/**
 * N threads add to a counter K times each under an explicit lock.
 *
 * Correct: the lock guards it. There are as many schedules as with a monitor, (NK)! / (K!)^N: a thread
 * that finds the lock taken might as well come later.
 */
public class CounterLocked {
    static final ReentrantLock lock = new ReentrantLock();
    static int count;

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int k = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(() -> add(k));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert count == n * k;
    }

    static void add(int times) {
        for (int i = 0; i < times; i++) {
            lock.lock();
            try {
                count++;
            } finally {
                lock.unlock();
            }
        }
    }
}
