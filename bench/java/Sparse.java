/** Sparse matrix times vector in compressed-row form. */
public class Sparse {
    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 1400;
        int n = 2000, perRow = 20;
        int[] start = new int[n + 1], column = new int[n * perRow];
        double[] value = new double[n * perRow], x = new double[n], y = new double[n];
        long seed = 17;
        for (int i = 0; i < n; i++) {
            start[i] = i * perRow;
            for (int k = 0; k < perRow; k++) {
                seed = (seed * 25214903917L + 11) & ((1L << 48) - 1);
                column[i * perRow + k] = (int) ((seed >>> 17) % n);
                value[i * perRow + k] = (seed >>> 40) / 256.0 - 0.5;
            }
            x[i] = 1.0 / (i + 1);
        }
        start[n] = n * perRow;
        for (int r = 0; r < scale; r++) {
            for (int i = 0; i < n; i++) {
                double s = 0;
                for (int k = start[i]; k < start[i + 1]; k++) s += value[k] * x[column[k]];
                y[i] = s;
            }
            double norm = 0;
            for (int i = 0; i < n; i++) norm += y[i] * y[i];
            norm = Math.sqrt(norm);
            for (int i = 0; i < n; i++) x[i] = y[i] / norm;
        }
        double sum = 0;
        for (int i = 0; i < n; i++) sum += x[i] * (i % 7);
        System.out.println(sum);
    }
}
