import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Writers 1 … n set a[j] = a[j-1] + 1; one reader walks down from n to the first zero:
 * (n + 3) · 2^(n-2) schedules up to equivalence.
 *
 * Correct: a[0] is never written, so the reader always finds a zero.
 */
public class Lastzero {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        AtomicIntegerArray a = new AtomicIntegerArray(n + 1);
        new Thread(() -> {
            int i = n;
            while (a.get(i) != 0) {
                i--;
            }
            assert i >= 0;
        }, "reader").start();
        for (int j = 1; j <= n; j++) {
            int slot = j;
            new Thread(() -> a.set(slot, a.get(slot - 1) + 1), "writer-" + j).start();
        }
    }
}
