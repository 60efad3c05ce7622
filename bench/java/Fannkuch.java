/** Fannkuch: permutations and reversals of small int arrays. */
public class Fannkuch {
    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 8;
        for (int i = 0; i < scale; i++) System.out.println(run(8 + Math.min(i, 1)));
    }

    static String run(int n) {
        int[] p = new int[n], q = new int[n], count = new int[n];
        for (int i = 0; i < n; i++) p[i] = i;
        int max = 0, checksum = 0, permutation = 0, r = n;
        while (true) {
            for (; r != 1; r--) count[r - 1] = r;
            for (int i = 0; i < n; i++) q[i] = p[i];
            int flips = 0;
            for (int k = q[0]; k != 0; k = q[0]) {
                for (int i = 0, j = k; i < j; i++, j--) {
                    int t = q[i];
                    q[i] = q[j];
                    q[j] = t;
                }
                flips++;
            }
            max = Math.max(max, flips);
            checksum += permutation % 2 == 0 ? flips : -flips;
            while (true) {
                if (r == n) {
                    return checksum + " " + max;
                }
                int first = p[0];
                for (int i = 0; i < r; i++) p[i] = p[i + 1];
                p[r] = first;
                count[r]--;
                if (count[r] > 0) break;
                r++;
            }
            permutation++;
        }
    }
}
