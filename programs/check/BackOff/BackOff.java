import java.util.concurrent.locks.ReentrantLock;

/**
 * Two threads want two locks in opposite orders, and back off if the second one is taken. Correct:
 * nobody waits while it has a lock, and who gives up lets the other one through. That they give up
 * for ever is not fair to either.
 */
public class BackOff {
    static void both(ReentrantLock first, ReentrantLock second) {
        while (true) {
            first.lock();
            if (second.tryLock()) {
                second.unlock();
                first.unlock();
                return;
            }
            first.unlock();
        }
    }

    public static void main(String[] args) {
        ReentrantLock left = new ReentrantLock();
        ReentrantLock right = new ReentrantLock();
        new Thread(() -> both(left, right)).start();
        new Thread(() -> both(right, left)).start();
    }
}
