import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded queue that is correct under every schedule.
 *
 * <p>Conditions are checked in loops, signals are sent while the lock is held, and the lock is
 * released in {@code finally}. Two producers and a consumer use it; whatever the schedule, the sum is
 * the same. Checking this program ends with "no schedule breaks it".
 */
public class CorrectQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    private final int[] items = new int[1];
    private int head;
    private int size;

    void put(int item) throws InterruptedException {
        lock.lock();
        try {
            while (size == items.length) {
                notFull.await();
            }
            items[(head + size) % items.length] = item;
            size++;
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    int take() throws InterruptedException {
        lock.lock();
        try {
            while (size == 0) {
                notEmpty.await();
            }
            int item = items[head];
            head = (head + 1) % items.length;
            size--;
            notFull.signal();
            return item;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        CorrectQueue queue = new CorrectQueue();
        int[] sum = {0};
        Thread[] producers = new Thread[2];
        for (int i = 0; i < producers.length; i++) {
            int item = i + 1;
            producers[i] = new Thread(() -> {
                try {
                    queue.put(item);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "producer " + i);
        }
        Thread consumer = new Thread(() -> {
            try {
                for (int i = 0; i < producers.length; i++) {
                    sum[0] += queue.take();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "consumer");
        for (Thread t : producers) {
            t.start();
        }
        consumer.start();
        for (Thread t : producers) {
            t.join();
        }
        consumer.join();
        System.out.println("sum " + sum[0]);
        assert sum[0] == 3;
    }
}
