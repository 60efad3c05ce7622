/**
 * A recursive synchronized method that waits at its deepest level.
 *
 * Correct: the wait gives the monitor back whatever its depth, and takes it again to the same
 * depth.
 */
public class Reentrant {
    private boolean ready;

    synchronized void descend(int levels) throws InterruptedException {
        if (levels > 0) {
            descend(levels - 1);
            assert Thread.holdsLock(this);
            return;
        }
        while (!ready) {
            wait();
        }
    }

    synchronized void set() {
        ready = true;
        notify();
    }

    public static void main(String[] args) {
        Reentrant gate = new Reentrant();
        new Thread(() -> {
            try {
                gate.descend(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "diver").start();
        new Thread(gate::set, "setter").start();
    }
}
