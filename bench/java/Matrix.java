/** Multi-dimensional arrays: matrix product and a three-dimensional stencil. */
public class Matrix {
    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 45;
        int n = 120;
        double[][] a = new double[n][n];
        double[][] b = new double[n][n];
        double[][] c = new double[n][n];
        int[][][] cube = new int[40][40][40];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = (i * 7 + j) % 13;
                b[i][j] = (i + j * 5) % 11;
            }
        }
        for (int r = 0; r < scale; r++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    double s = 0;
                    for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
                    c[i][j] = s;
                }
            }
            a[r % n][r % n] = c[r % n][(r + 1) % n] % 17;
            for (int x = 1; x < 39; x++) {
                for (int y = 1; y < 39; y++) {
                    for (int z = 1; z < 39; z++) {
                        cube[x][y][z] += cube[x - 1][y][z] + cube[x][y - 1][z] + cube[x][y][z - 1] + x + y + z;
                    }
                }
            }
        }
        double trace = 0;
        long all = 0;
        for (int i = 0; i < n; i++) trace += c[i][i];
        for (int[][] plane : cube) for (int[] row : plane) for (int v : row) all = all * 3 + v;
        System.out.println(trace + " " + all);
    }
}
