/** LU factorization with partial pivoting: threads share the columns and meet twice a step. */
public class GrandeLu {
    private static final int N = 160;

    public static void main(String[] args) {
        int threads = Integer.parseInt(args[0]);
        double[][] a = new double[N][N];
        int seed = 1325;
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                seed = seed * 1103515245 + 12345;
                a[j][i] = (seed >> 8) * 1e-7;
            }
        }
        Meeting meeting = new Meeting(threads);
        Meeting.run(threads, number -> factor(a, number, threads, meeting));
        double trace = 0;
        for (int i = 0; i < N; i++) {
            trace += Math.abs(a[i][i]);
        }
        System.out.println(Math.round(trace * 1e6));
    }

    /** Columns are rows of the array. */
    private static void factor(double[][] a, int number, int threads, Meeting meeting) {
        int[] pivots = new int[N];
        for (int k = 0; k < N - 1; k++) {
            double[] column = a[k];
            int pivot = k;
            for (int i = k + 1; i < N; i++) {
                if (Math.abs(column[i]) > Math.abs(column[pivot])) {
                    pivot = i;
                }
            }
            pivots[k] = pivot;
            meeting.arrive();
            if (number == 0) {
                double t = column[pivot];
                column[pivot] = column[k];
                column[k] = t;
                double factor = -1.0 / t;
                for (int i = k + 1; i < N; i++) {
                    column[i] *= factor;
                }
            }
            meeting.arrive();
            for (int j = k + 1 + number; j < N; j += threads) {
                eliminate(a[j], column, k, pivot);
            }
            meeting.arrive();
        }
    }

    private static void eliminate(double[] target, double[] column, int k, int pivot) {
        double t = target[pivot];
        target[pivot] = target[k];
        target[k] = t;
        for (int i = k + 1; i < N; i++) {
            target[i] += t * column[i];
        }
    }
}
