/**
 * Deadlock with one order for both threads.
 *
 * Correct: b is taken only by a thread that holds a, so nobody who holds b ever wants a.
 */
public class DeadlockOrdered implements Runnable {
    static class Lock {
    }

    static final Lock a = new Lock();
    static final Lock b = new Lock();

    public static void main(String[] args) {
        new DeadlockOrdered("First");
        new DeadlockOrdered("Second");
    }

    DeadlockOrdered(String name) {
        new Thread(this, name).start();
    }

    @Override
    public void run() {
        synchronized (a) {
            synchronized (b) {
            }
        }
    }
}
