import java.util.*;

/** Numerical code: LU decomposition, determinant, inverse, with exact printing. */
public class C03Matrix {
    final double[][] a;
    final int n;
    C03Matrix(double[][] a) { this.a = a; n = a.length; }

    static C03Matrix hilbert(int n) {
        double[][] h = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) h[i][j] = 1.0 / (i + j + 1);
        return new C03Matrix(h);
    }
    C03Matrix times(C03Matrix o) {
        double[][] r = new double[n][o.a[0].length];
        for (int i = 0; i < n; i++) for (int j = 0; j < r[0].length; j++) {
            double s = 0;
            for (int k = 0; k < o.n; k++) s += a[i][k] * o.a[k][j];
            r[i][j] = s;
        }
        return new C03Matrix(r);
    }
    C03Matrix inverse() {
        double[][] w = new double[n][2 * n];
        for (int i = 0; i < n; i++) {
            System.arraycopy(a[i], 0, w[i], 0, n);
            w[i][n + i] = 1;
        }
        for (int c = 0; c < n; c++) {
            int p = c;
            for (int r = c + 1; r < n; r++) if (Math.abs(w[r][c]) > Math.abs(w[p][c])) p = r;
            if (w[p][c] == 0) throw new ArithmeticException("singular in column " + c);
            double[] t = w[p]; w[p] = w[c]; w[c] = t;
            double d = w[c][c];
            for (int j = 0; j < 2 * n; j++) w[c][j] /= d;
            for (int r = 0; r < n; r++) {
                if (r == c) continue;
                double f = w[r][c];
                if (f != 0) for (int j = 0; j < 2 * n; j++) w[r][j] -= f * w[c][j];
            }
        }
        double[][] out = new double[n][];
        for (int i = 0; i < n; i++) out[i] = Arrays.copyOfRange(w[i], n, 2 * n);
        return new C03Matrix(out);
    }
    double determinant() {
        if (n == 1) return a[0][0];
        double d = 0;
        for (int j = 0; j < n; j++) {
            double[][] m = new double[n - 1][n - 1];
            for (int r = 1; r < n; r++) for (int c = 0, k = 0; c < n; c++) if (c != j) m[r - 1][k++] = a[r][c];
            d += (j % 2 == 0 ? 1 : -1) * a[0][j] * new C03Matrix(m).determinant();
        }
        return d;
    }
    @Override public String toString() { return Arrays.deepToString(a); }

    public static void main(String[] args) {
        for (int n = 1; n <= 5; n++) {
            C03Matrix h = hilbert(n);
            C03Matrix inv = h.inverse();
            System.out.println(inv);
            System.out.println(h.determinant() + " " + inv.determinant());
            double worst = 0;
            C03Matrix id = h.times(inv);
            for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) worst = Math.max(worst, Math.abs(id.a[i][j] - (i == j ? 1 : 0)));
            System.out.println(worst);
        }
        try {
            new C03Matrix(new double[][] {{1, 2}, {2, 4}}).inverse();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        float[] f = new float[10];
        float x = 1;
        for (int i = 0; i < f.length; i++) { x = x * 1.1f - 0.05f; f[i] = x; }
        System.out.println(Arrays.toString(f));
    }
}
