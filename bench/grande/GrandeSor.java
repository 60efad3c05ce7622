/** Red-black successive over-relaxation; threads spin until their neighbours are as far as they. */
public class GrandeSor {
    private static final int N = 250;
    private static final int SWEEPS = 60;

    public static void main(String[] args) {
        int threads = Integer.parseInt(args[0]);
        double[][] g = new double[N][N];
        int seed = 10101010;
        for (double[] row : g) {
            for (int j = 0; j < N; j++) {
                seed = seed * 1103515245 + 12345;
                row[j] = (seed >>> 8) * 1e-6;
            }
        }
        Progress[] done = new Progress[threads];
        for (int i = 0; i < threads; i++) {
            done[i] = new Progress();
        }
        Meeting.run(threads, number -> relax(g, number, threads, done));
        double sum = 0;
        for (double[] row : g) {
            for (double x : row) {
                sum += x;
            }
        }
        System.out.println(Math.round(sum * 1e3));
    }

    /** How many half sweeps a thread has done. */
    private static final class Progress {
        volatile int halves;
    }

    private static void relax(double[][] g, int number, int threads, Progress[] done) {
        int share = (N - 2 + threads - 1) / threads;
        int from = 1 + number * share;
        int to = Math.min(from + share, N - 1);
        for (int half = 0; half < 2 * SWEEPS; half++) {
            for (int i = from; i < to; i++) {
                row(g[i - 1], g[i], g[i + 1], 1 + (i + half) % 2);
            }
            done[number].halves = half + 1;
            for (int other = number - 1; other <= number + 1; other += 2) {
                if (other >= 0 && other < threads) {
                    while (done[other].halves <= half) {
                        Thread.onSpinWait();
                    }
                }
            }
        }
    }

    private static void row(double[] above, double[] row, double[] below, int first) {
        for (int j = first; j < N - 1; j += 2) {
            row[j] = 0.3125 * (above[j] + below[j] + row[j - 1] + row[j + 1]) - 0.25 * row[j];
        }
    }
}
