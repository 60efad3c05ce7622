import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Iterates over a snapshot.
 *
 * Correct: the iterator keeps the array that it began with.
 */
public class ListCopied {
    public static void main(String[] args) {
        List<Integer> list = new CopyOnWriteArrayList<>(List.of(1, 2));
        new Thread(() -> {
            int sum = 0;
            for (int n : list) {
                sum += n;
            }
            assert sum == 3 || sum == 6;
        }, "reader").start();
        new Thread(() -> list.add(3), "writer").start();
    }
}
