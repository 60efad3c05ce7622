/** Dining philosophers with ordered forks: everyone eats, nobody starves. */
public class B02Philosophers {
    public static void main(String[] args) throws Exception {
        int n = 5, meals = 100;
        Object[] forks = new Object[n];
        for (int i = 0; i < n; i++) forks[i] = new Object();
        int[] eaten = new int[n];
        Thread[] all = new Thread[n];
        for (int i = 0; i < n; i++) {
            int id = i;
            Object first = forks[Math.min(i, (i + 1) % n)], second = forks[Math.max(i, (i + 1) % n)];
            all[i] = new Thread(() -> {
                for (int m = 0; m < meals; m++) {
                    synchronized (first) {
                        synchronized (second) {
                            eaten[id]++;
                        }
                    }
                    Thread.yield();
                }
            }, "philosopher " + i);
            all[i].start();
        }
        int total = 0;
        for (int i = 0; i < n; i++) {
            all[i].join();
            total += eaten[i];
        }
        System.out.println(total);
    }
}
