/**
 * The initial thread has a lock that two others want, and looks at the states of both until both
 * are blocked.
 *
 * Correct: then it goes on, and they count one after the other.
 */
public class BothBlocked {
    static int sum;

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(BothBlocked::count, "one");
        Thread two = new Thread(BothBlocked::count, "two");
        synchronized (BothBlocked.class) {
            one.start();
            two.start();
            while (one.getState() != Thread.State.BLOCKED || two.getState() != Thread.State.BLOCKED) {
                Thread.yield();
            }
        }
        one.join();
        two.join();
        assert sum == 2;
    }

    static synchronized void count() {
        sum++;
    }
}
