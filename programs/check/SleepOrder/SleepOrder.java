/**
 * Two threads ordered by their sleeping times.
 *
 * Breaks when: the machine is busy and the writer wakes up after the reader did.
 */
public class SleepOrder {
    static volatile int value;

    public static void main(String[] args) {
        new Thread(() -> {
            sleep(10);
            value = 1;
        }, "writer").start();
        new Thread(() -> {
            sleep(30);
            assert value == 1 : "reader was first"; //~ assertion
        }, "reader").start();
    }

    static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
