/**
 * Two threads increment a volatile field.
 *
 * Breaks when: both read 0 before either writes.
 */
public class VolatileIncrement {
    static volatile int count;

    public static void main(String[] args) throws InterruptedException {
        Runnable increment = () -> count++;
        Thread a = new Thread(increment, "a");
        Thread b = new Thread(increment, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2 : "lost update"; //~ assertion
    }
}
