import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two threads call themselves until the stack is full, and look at a volatile field at each level.
 *
 * Correct: nobody writes the field, and both catch the error. What they count is an atomic integer.
 */
public class DeepRecursion {
    static volatile boolean enough;
    static final AtomicInteger full = new AtomicInteger();

    static int down(int level) {
        return enough ? level : down(level + 1) + 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Runnable dive = () -> {
            try {
                down(0);
            } catch (StackOverflowError e) {
                full.incrementAndGet();
            }
        };
        Thread a = new Thread(dive, "a");
        Thread b = new Thread(dive, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert full.get() == 2 : "lost update";
    }
}
