/** Multi-dimensional arrays: complete, partial, ragged. */
public class A14MultiArrays {
    public static void main(String[] args) {
        int[][] a = new int[3][4];
        a[2][3] = 5;
        a[1] = new int[] {1, 2};
        System.out.println(a.length + " " + a[0].length + " " + a[1].length + " " + a[2][3]);
        String[][][] s = new String[2][3][];
        System.out.println(s[1][2] == null);
        s[1][2] = new String[] {"x"};
        System.out.println(s[1][2][0] + s.getClass().getName() + s[0].getClass().getName());
        long[][][][] deep = new long[2][2][2][2];
        long n = 0;
        for (int i = 0; i < 16; i++) deep[i >> 3][i >> 2 & 1][i >> 1 & 1][i & 1] = i * i;
        for (long[][][] x : deep) for (long[][] y : x) for (long[] z : y) for (long w : z) n = n * 3 + w;
        System.out.println(n);
        int[][] none = new int[0][5];
        System.out.println(none.length);
        int[][] noneInside = new int[2][0];
        System.out.println(noneInside[1].length);
        char[][] ragged = {{'a'}, {}, {'b', 'c'}, null};
        for (char[] row : ragged) System.out.print(row == null ? "null" : new String(row) + ";");
        System.out.println();
        try {
            int[][] bad = new int[2][-1];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        Object[] objects = new int[2][2];
        try {
            objects[0] = new long[1];
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        int[][] copy = a.clone();
        copy[0][0] = 77;
        System.out.println(a[0][0]);
    }
}
