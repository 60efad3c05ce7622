/**
 * Three threads under one lock; the third one assumes that it does not come last.
 *
 * Breaks when: both adders run before the checker.
 */
public class LastOfThree {
    static final Object lock = new Object();
    static int total;

    public static void main(String[] args) {
        new Thread(() -> add(1), "one").start();
        new Thread(() -> add(2), "two").start();
        new Thread(LastOfThree::check, "checker").start();
    }

    static void add(int n) {
        synchronized (lock) {
            total += n;
        }
    }

    static void check() {
        synchronized (lock) {
            assert total < 3 : "both came first"; //~ assertion
        }
    }
}
