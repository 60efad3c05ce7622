/*
 * Two threads fill a table together, each its own half.
 *
 * Right: nobody reads or writes what another one writes before it has ended. It is one schedule,
 * of more than 100,000 choices.
 */
public class Halves {
    static final int SIZE = 120_000;
    static final long[] TABLE = new long[SIZE];

    static Thread fill(int from, int to) {
        Thread thread = new Thread(() -> {
            for (int i = from; i < to; i++) {
                TABLE[i] = (long) i * i;
            }
        });
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread lower = fill(0, SIZE / 2);
        Thread upper = fill(SIZE / 2, SIZE);
        lower.join();
        upper.join();
        for (int i = 0; i < SIZE; i++) {
            assert TABLE[i] == (long) i * i : i;
        }
    }
}
