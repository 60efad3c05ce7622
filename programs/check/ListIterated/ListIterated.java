import java.util.ArrayList;
import java.util.List;

/**
 * Iterates over a list while another thread adds to it.
 *
 * Breaks when: the add comes between iterator() and a next(): ConcurrentModificationException.
 */
public class ListIterated {
    public static void main(String[] args) {
        List<Integer> list = new ArrayList<>(List.of(1, 2));
        new Thread(() -> {
            int sum = 0;
            for (int n : list) { //~ exception race
                sum += n;
            }
            assert sum > 0;
        }, "reader").start();
        new Thread(() -> list.add(3), "writer").start(); //~ race
    }
}
