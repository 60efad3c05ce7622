/**
 * A thread looks every ten milliseconds whether another one, which takes two hundred, has begun, and
 * takes that for the result.
 *
 * Broken: the flag is set before the result is.
 */
public class PolledBySleep {
    static volatile boolean begun;
    static volatile int result;

    public static void main(String[] args) throws InterruptedException {
        new Thread(PolledBySleep::work, "worker").start();
        while (!begun) {
            Thread.sleep(10);
        }
        assert result == 42; //~ assertion
    }

    static void work() {
        try {
            Thread.sleep(100);
            begun = true;
            Thread.sleep(100);
            result = 42;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
