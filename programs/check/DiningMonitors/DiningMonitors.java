/**
 * Dining philosophers with nested {@code synchronized}: a fork is a lock.
 *
 * Breaks when: each one has locked the fork to the left.
 */
public class DiningMonitors {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Object[] forks = new Object[n];
        for (int i = 0; i < n; i++) {
            forks[i] = new Object();
        }
        for (int i = 0; i < n; i++) {
            Object left = forks[i];
            Object right = forks[(i + 1) % n];
            new Thread(() -> dine(left, right, rounds), "philosopher-" + i).start();
        }
    }

    static void dine(Object first, Object second, int rounds) {
        for (int i = 0; i < rounds; i++) {
            synchronized (first) {
                synchronized (second) { //~ lock-cycle
                }
            }
        }
    }
}
