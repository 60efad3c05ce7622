/**
 * Dining philosophers with nested {@code synchronized}, forks locked by increasing number.
 *
 * Correct: a thread that holds fork i only ever wants a fork above i, so there is no cycle.
 */
public class DiningMonitorsOrdered {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Object[] forks = new Object[n];
        for (int i = 0; i < n; i++) {
            forks[i] = new Object();
        }
        for (int i = 0; i < n; i++) {
            int next = (i + 1) % n;
            Object first = forks[Math.min(i, next)];
            Object second = forks[Math.max(i, next)];
            new Thread(() -> dine(first, second, rounds), "philosopher-" + i).start();
        }
    }

    static void dine(Object first, Object second, int rounds) {
        for (int i = 0; i < rounds; i++) {
            synchronized (first) {
                synchronized (second) {
                }
            }
        }
    }
}
