import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * An array with atomic elements.
 *
 * Correct: every access to an element is a volatile one.
 */
public class AtomicArray {
    static final AtomicIntegerArray cells = new AtomicIntegerArray(2);

    public static void main(String[] args) {
        new Thread(() -> cells.set(1, 5), "writer").start();
        new Thread(() -> {
            int seen = cells.get(1);
            assert seen == 0 || seen == 5;
        }, "reader").start();
    }
}
