/**
 * Opposite lock orders, the second after the first one's end.
 *
 * Correct: the join orders them. A prediction that ignores happens-before reports a deadlock.
 */
public class LockOrderSequential {
    static final Object a = new Object();
    static final Object b = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread ab = new Thread(() -> nest(a, b), "ab");
        ab.start();
        ab.join();
        Thread ba = new Thread(() -> nest(b, a), "ba");
        ba.start();
        ba.join();
    }

    static void nest(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
            }
        }
    }
}
