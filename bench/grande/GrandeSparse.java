/** A sparse matrix times a vector, again and again; each thread has its share of the rows. */
public class GrandeSparse {
    private static final int N = 20_000;
    private static final int ENTRIES = 100_000;
    private static final int ROUNDS = 20;

    public static void main(String[] args) {
        int threads = Integer.parseInt(args[0]);
        int[] start = new int[N + 1];
        int[] column = new int[ENTRIES];
        double[] value = new double[ENTRIES];
        double[] x = new double[N];
        double[] y = new double[N];
        int seed = 10101010;
        for (int i = 0; i < ENTRIES; i++) {
            seed = seed * 1103515245 + 12345;
            column[i] = (seed >>> 8) % N;
            value[i] = (seed >>> 16) * 1e-3;
        }
        for (int i = 0; i <= N; i++) {
            start[i] = (int) ((long) ENTRIES * i / N);
        }
        for (int i = 0; i < N; i++) {
            x[i] = i * 1e-4;
        }
        Meeting.run(threads, number -> {
            int from = N * number / threads;
            int to = N * (number + 1) / threads;
            for (int round = 0; round < ROUNDS; round++) {
                multiply(start, column, value, x, y, from, to);
            }
        });
        double sum = 0;
        for (double v : y) {
            sum += v;
        }
        System.out.println(Math.round(sum));
    }

    private static void multiply(
            int[] start, int[] column, double[] value, double[] x, double[] y, int from, int to) {
        for (int row = from; row < to; row++) {
            double sum = y[row];
            for (int i = start[row]; i < start[row + 1]; i++) {
                sum += x[column[i]] * value[i];
            }
            y[row] = sum;
        }
    }
}
