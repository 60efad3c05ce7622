import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lazy singleton with a volatile field and no lock.
 *
 * Breaks when: both threads see null; both make one.
 */
public class LazyTwice {
    static final AtomicInteger made = new AtomicInteger();
    static volatile Object instance;

    static Object get() {
        if (instance == null) {
            assert made.incrementAndGet() == 1 : "made twice"; //~ assertion
            instance = new Object();
        }
        return instance;
    }

    public static void main(String[] args) {
        new Thread(LazyTwice::get, "a").start();
        new Thread(LazyTwice::get, "b").start();
    }
}
