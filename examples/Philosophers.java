/**
 * Dining philosophers that can deadlock.
 *
 * <p>Everyone takes the left fork first. When all have done so, nobody gets a right fork and nobody
 * ever puts a fork down: a cycle of threads that wait for each other's locks. The number of
 * philosophers is the first argument (default 3).
 *
 * <p>The repair: let one philosopher take the right fork first, or number the forks and always take
 * the lower number first.
 */
public class Philosophers {
    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        Object[] forks = new Object[n];
        for (int i = 0; i < n; i++) {
            forks[i] = new Object();
        }
        Thread[] philosophers = new Thread[n];
        for (int i = 0; i < n; i++) {
            Object left = forks[i];
            Object right = forks[(i + 1) % n];
            philosophers[i] = new Thread(() -> {
                synchronized (left) {
                    synchronized (right) { // everyone may wait here at once
                        System.out.println(Thread.currentThread().getName() + " eats");
                    }
                }
            }, "philosopher " + i);
        }
        for (Thread t : philosophers) {
            t.start();
        }
        for (Thread t : philosophers) {
            t.join();
        }
        System.out.println("all have eaten");
    }
}
