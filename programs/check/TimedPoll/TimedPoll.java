import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Polls with a time-out and uses what it gets.
 *
 * Breaks when: the poll times out before the offer, on a machine that is busy: null is unboxed.
 */
public class TimedPoll {
    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        new Thread(() -> queue.add(1), "giver").start();
        int got = queue.poll(10, TimeUnit.MILLISECONDS); //~ exception
        assert got == 1;
    }
}
