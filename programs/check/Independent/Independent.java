/**
 * n threads that touch nothing but objects of their own: one schedule up to equivalence.
 *
 * Correct: nothing is shared. A checker must not keep silent about having had nothing to explore.
 */
public class Independent {
    static class Worker extends Thread {
        private int sum;

        @Override
        public void run() {
            int[] own = new int[4];
            for (int i = 0; i < own.length; i++) {
                own[i] = i;
                sum += own[i];
            }
            assert sum == 6;
        }
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        for (int i = 0; i < n; i++) {
            new Worker().start();
        }
    }
}
