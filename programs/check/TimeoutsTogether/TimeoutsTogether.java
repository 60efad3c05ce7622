import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Two threads wait for a result that nobody computes, each for the same time.
 *
 * Breaks when: always. One of them gives up, and at that moment the time of the other is up too.
 * A replay must let the one that the schedule names go on, not the other.
 */
public class TimeoutsTogether {
    static final FutureTask<Integer> result = new FutureTask<>(() -> 1);

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(() -> get(), "one");
        Thread other = new Thread(() -> get(), "other");
        one.start();
        other.start();
        one.join();
        other.join();
    }

    static void get() {
        try {
            result.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e); //~ exception
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
