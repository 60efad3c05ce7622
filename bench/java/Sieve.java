/** Arrays: the sieve of Eratosthenes on booleans, prefix sums on ints. */
public class Sieve {
    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 50;
        int n = 500_000;
        boolean[] composite = new boolean[n + 1];
        int[] sums = new int[n + 1];
        long check = 0;
        for (int r = 0; r < scale; r++) {
            for (int i = 0; i <= n; i++) composite[i] = false;
            int count = 0;
            for (int i = 2; i <= n; i++) {
                if (!composite[i]) {
                    count++;
                    for (long j = (long) i * i; j <= n; j += i) composite[(int) j] = true;
                }
            }
            sums[0] = 0;
            for (int i = 1; i <= n; i++) sums[i] = sums[i - 1] + (composite[i] ? 0 : 1);
            check = check * 31 + count + sums[n / 2 + r];
        }
        System.out.println(check);
    }
}
