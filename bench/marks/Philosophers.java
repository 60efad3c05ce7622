/** Three philosophers that eat for ever: transitions as a search sees them. */
public class Philosophers {
    public static void main(String[] args) {
        Object[] forks = {new Object(), new Object(), new Object()};
        int[] meals = new int[1];
        for (int i = 0; i < 3; i++) {
            // The last one is left-handed, so that they never get stuck.
            Object first = forks[Math.min(i, (i + 1) % 3)];
            Object second = forks[Math.max(i, (i + 1) % 3)];
            new Thread(() -> {
                while (true) {
                    synchronized (first) {
                        synchronized (second) {
                            meals[0]++;
                        }
                    }
                }
            }).start();
        }
        System.out.println("ready");
    }
}
