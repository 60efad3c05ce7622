import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * n threads fill a table of 128 slots by compare-and-set; thread t inserts w = k · 11 + t for
 * k = 1 … 4, starting at slot 7w mod 128 and probing on. Collisions begin with n = 12.
 *
 * Correct: an insertion takes a slot only from 0, and there are more slots than insertions.
 */
public class Indexer {
    static final int SIZE = 128;
    static final int MESSAGES = 4;

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 12;
        AtomicIntegerArray table = new AtomicIntegerArray(SIZE);
        for (int i = 0; i < n; i++) {
            int t = i;
            new Thread(() -> insert(table, t), "indexer-" + t).start();
        }
    }

    static void insert(AtomicIntegerArray table, int t) {
        for (int k = 1; k <= MESSAGES; k++) {
            int w = k * 11 + t;
            int h = w * 7 % SIZE;
            while (!table.compareAndSet(h, 0, w)) {
                h = (h + 1) % SIZE;
            }
        }
    }
}
