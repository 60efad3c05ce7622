/** One-dimensional arrays of every type: defaults, length, clone, copy. */
public class A13Arrays {
    public static void main(String[] args) {
        System.out.println(new boolean[2][0].length + " " + new int[0].length);
        System.out.println(new byte[1][0].length + new short[3].length + new char[4].length);
        System.out.println(new int[5][2].length);
        System.out.println(new float[1][1][0].length);
        System.out.println(new long[2][0].length + " " + (int) new char[1][0].length);
        int[] i = {3, 1, 2};
        int[] j = i.clone();
        j[0] = 9;
        System.out.println(i[0] + " " + j[0] + " " + j.length);
        long[] l = new long[3];
        l[1] = Long.MIN_VALUE;
        l[2]--;
        System.out.println(l[0] + " " + l[1] + " " + l[2]);
        double[] d = {1, 2.5, Double.NaN};
        float[] f = {1, 2.5f, -0f};
        System.out.println(d[0] + d[1] + " " + d[2] + " " + f[1] + f[2]);
        String[] s = new String[2];
        s[1] = "x";
        System.out.println(s[0] + s[1]);
        Object o = s;
        System.out.println(o instanceof Object[]);
        System.out.println(o instanceof String[]);
        System.out.println(o instanceof Integer[]);
        System.out.println(o instanceof Cloneable);
        System.out.println(o instanceof java.io.Serializable);
        System.arraycopy(i, 0, i, 1, 2);
        System.out.println(i[0] + "" + i[1] + i[2]);
        System.out.println(new int[0].getClass().getName() + new String[0][0].getClass().getName()
                + new boolean[0].getClass() + long[].class + Object[].class.getSimpleName());
        int k = 0;
        i[k++] = k + i[k++] * k;
        System.out.println(i[0] + " " + k);
        i[1] += i[1] = 5;
        System.out.println(i[1]);
    }
}
