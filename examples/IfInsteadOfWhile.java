import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Producer and consumers with {@code if} where {@code while} is needed.
 *
 * <p>A consumer that finds the queue empty waits. Between the notification and the moment it owns the
 * lock again, another consumer may have taken the item; since the condition is not checked a second
 * time, the first consumer takes from an empty queue and dies with a NoSuchElementException. The same
 * happens when a thread wakes up without having been notified, which the Java specification allows.
 *
 * <p>The repair: {@code while (items.isEmpty()) wait();}
 */
public class IfInsteadOfWhile {
    private final Deque<Integer> items = new ArrayDeque<>();

    synchronized void put(int item) {
        items.addLast(item);
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        if (items.isEmpty()) { // should be: while
            wait();
        }
        return items.removeFirst();
    }

    public static void main(String[] args) throws InterruptedException {
        IfInsteadOfWhile queue = new IfInsteadOfWhile();
        Thread[] consumers = new Thread[2];
        for (int i = 0; i < consumers.length; i++) {
            consumers[i] = new Thread(() -> {
                try {
                    System.out.println(Thread.currentThread().getName() + " got " + queue.take());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "consumer " + i);
            consumers[i].start();
        }
        queue.put(1);
        queue.put(2);
        for (Thread consumer : consumers) {
            consumer.join();
        }
    }
}
