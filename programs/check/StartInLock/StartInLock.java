import java.util.Vector;

/**
 * Starts a thread while it holds what that one needs, and looks at it before it gives it back.
 *
 * Correct because: the other cannot add anything as long as the lock is taken.
 */
public class StartInLock {
    static final Vector<Integer> list = new Vector<>();

    public static void main(String[] args) throws InterruptedException {
        Thread adder = new Thread(() -> list.add(1));
        synchronized (list) {
            adder.start();
            assert list.size() == 0;
        }
        int size = list.size();
        adder.join();
        assert size <= list.size();
    }
}
