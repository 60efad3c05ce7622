/**
 * Asks for the states of two threads that use the same lock.
 *
 * Correct because: one that has ended is not blocked again, whatever else is found.
 */
public class StatesOfTwo {
    static final Object lock = new Object();
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Runnable adds = () -> {
            synchronized (lock) {
                count++;
            }
        };
        Thread first = new Thread(adds);
        Thread second = new Thread(adds);
        first.start();
        second.start();
        Thread.State before = first.getState();
        Thread.State other = second.getState();
        Thread.State after = first.getState();
        first.join();
        second.join();
        assert count == 2;
        assert before != Thread.State.TERMINATED || after == before;
        assert after != Thread.State.BLOCKED || other != Thread.State.TERMINATED;
    }
}
