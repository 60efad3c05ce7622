/**
 * One thread writes x, n threads read it: each read comes before or after the write, 2^n schedules
 * up to equivalence.
 *
 * Correct: x is volatile, and either value is right.
 */
public class Readers {
    static volatile int x;

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        new Thread(() -> x = 1, "writer").start();
        for (int i = 0; i < n; i++) {
            new Thread(() -> {
                int seen = x;
                assert seen == 0 || seen == 1;
            }, "reader-" + i).start();
        }
    }
}
