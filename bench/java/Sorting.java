/** Sorting: own quicksort, heap sort and merge sort on int arrays. */
public class Sorting {
    static void quick(int[] a, int lo, int hi) {
        while (lo < hi) {
            int p = a[(lo + hi) >>> 1], i = lo, j = hi;
            while (i <= j) {
                while (a[i] < p) i++;
                while (a[j] > p) j--;
                if (i <= j) {
                    int t = a[i];
                    a[i++] = a[j];
                    a[j--] = t;
                }
            }
            if (j - lo < hi - i) {
                quick(a, lo, j);
                lo = i;
            } else {
                quick(a, i, hi);
                hi = j;
            }
        }
    }

    static void sift(int[] a, int i, int n) {
        int v = a[i];
        for (int c; (c = 2 * i + 1) < n; i = c) {
            if (c + 1 < n && a[c + 1] > a[c]) c++;
            if (a[c] <= v) break;
            a[i] = a[c];
        }
        a[i] = v;
    }

    static void heap(int[] a) {
        for (int i = a.length / 2; i >= 0; i--) sift(a, i, a.length);
        for (int n = a.length - 1; n > 0; n--) {
            int t = a[0];
            a[0] = a[n];
            a[n] = t;
            sift(a, 0, n);
        }
    }

    static void merge(int[] a, int[] b, int lo, int hi) {
        if (hi - lo < 2) return;
        int mid = (lo + hi) / 2;
        merge(a, b, lo, mid);
        merge(a, b, mid, hi);
        for (int i = lo, l = lo, r = mid; i < hi; i++) {
            b[i] = l < mid && (r >= hi || a[l] <= a[r]) ? a[l++] : a[r++];
        }
        for (int i = lo; i < hi; i++) a[i] = b[i];
    }

    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 14;
        int n = 60_000;
        int[] a = new int[n], b = new int[n], spare = new int[n];
        long check = 0;
        int seed = 42;
        for (int r = 0; r < scale; r++) {
            for (int i = 0; i < n; i++) {
                seed = seed * 1103515245 + 12345;
                a[i] = seed >>> 8;
            }
            for (int i = 0; i < n; i++) b[i] = a[i];
            quick(a, 0, n - 1);
            heap(b);
            for (int i = 0; i < n; i++) check = check * 31 + (a[i] ^ b[i]) + (i % 1000 == 0 ? a[i] : 0);
            for (int i = 0; i < n; i++) b[i] = a[(int) (i * 7919L % n)];
            merge(b, spare, 0, n);
            for (int i = 0; i < n; i++) check += a[i] == b[i] ? 1 : 0;
        }
        System.out.println(check);
    }
}
