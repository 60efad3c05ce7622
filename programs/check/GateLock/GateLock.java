/**
 * Opposite lock orders behind a gate.
 *
 * Correct: both threads hold the gate while they nest the other two. A prediction that does not
 * look at gate locks reports a deadlock that cannot happen.
 */
public class GateLock {
    static final Object gate = new Object();
    static final Object a = new Object();
    static final Object b = new Object();

    public static void main(String[] args) {
        new Thread(() -> nest(a, b), "ab").start();
        new Thread(() -> nest(b, a), "ba").start();
    }

    static void nest(Object first, Object second) {
        synchronized (gate) {
            synchronized (first) {
                synchronized (second) {
                }
            }
        }
    }
}
