import java.util.*;

/** java.util.Arrays: sort, search, fill, compare, hash, parallel operations. */
public class B03Arrays {
    public static void main(String[] args) {
        Random r = new Random(1);
        int[] ints = r.ints(1000, -500, 500).toArray();
        int[] copy = ints.clone();
        Arrays.sort(ints);
        Arrays.parallelSort(copy);
        System.out.println(Arrays.equals(ints, copy) + " " + Arrays.hashCode(ints) + " " + Arrays.binarySearch(ints, ints[500]) / 1000 + Arrays.binarySearch(ints, 1000));
        double[] d = {3, -0.0, 0.0, Double.NaN, -1, Double.NEGATIVE_INFINITY};
        Arrays.sort(d);
        System.out.println(Arrays.toString(d));
        String[] s = "pear fig apple kiwi banana".split(" ");
        Arrays.sort(s, Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        System.out.println(Arrays.toString(s));
        char[] c = "sorting".toCharArray();
        Arrays.sort(c, 1, 5);
        System.out.println(new String(c));
        long[] l = new long[5];
        Arrays.fill(l, 1, 4, 7);
        Arrays.setAll(l, i -> l[i] * i);
        System.out.println(Arrays.toString(l) + Arrays.stream(l).sum());
        Arrays.parallelPrefix(l, Long::sum);
        System.out.println(Arrays.toString(l));
        System.out.println(Arrays.toString(Arrays.copyOf(s, 7)) + Arrays.toString(Arrays.copyOfRange(ints, 998, 1002)) + Arrays.toString(Arrays.copyOf(new Object[] {"a"}, 1, String[].class)));
        Object[][] deep = {{1, new int[] {2, 3}}, {"x", null}};
        System.out.println(Arrays.deepToString(deep) + Arrays.deepEquals(deep, new Object[][] {{1, new int[] {2, 3}}, {"x", null}}) + Arrays.deepHashCode(deep));
        System.out.println(Arrays.compare(new int[] {1, 2}, new int[] {1, 3}) + " " + Arrays.mismatch(new byte[] {1, 2, 3}, new byte[] {1, 2}) + Arrays.equals(null, (int[]) null) + " " + Arrays.compareUnsigned(new byte[] {-1}, new byte[] {1}));
        Integer[] boxed = new Integer[300];
        for (int i = 0; i < boxed.length; i++) boxed[i] = (i * 7919) % 301;
        Arrays.sort(boxed, Collections.reverseOrder());
        System.out.println(boxed[0] + " " + boxed[299] + " " + Arrays.asList(boxed).indexOf(150));
        record P(int k, int n) {}
        P[] stable = new P[200];
        for (int i = 0; i < 200; i++) stable[i] = new P(i % 5, i);
        Arrays.sort(stable, Comparator.comparingInt(P::k));
        boolean ok = true;
        for (int i = 1; i < 200; i++) if (stable[i - 1].k == stable[i].k && stable[i - 1].n > stable[i].n) ok = false;
        System.out.println(ok);
        byte[] b = new byte[100];
        r.nextBytes(b);
        Arrays.sort(b);
        short[] sh = {5, -5, 0};
        Arrays.sort(sh);
        float[] f = {2f, Float.NaN, -0f, 0f};
        Arrays.sort(f);
        System.out.println(b[0] + " " + b[99] + Arrays.toString(sh) + Arrays.toString(f));
        try {
            Arrays.sort(new Integer[40], (x, y) -> 1 / 0);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        int[] big = new Random(5).ints(20000).toArray();
        Arrays.parallelSort(big);
        int x = 0;
        for (int v : big) x = x * 31 + v;
        System.out.println(x);
        Arrays.sort(ints, 3, 3);
        try {
            Arrays.sort(ints, 5, 2);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
