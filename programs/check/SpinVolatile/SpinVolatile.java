/**
 * Spins until a volatile flag is set.
 *
 * Correct in every fair schedule: the setter waits for nothing.
 */
public class SpinVolatile {
    static int data;
    static volatile boolean ready;

    public static void main(String[] args) {
        new Thread(() -> {
            while (!ready) {
                Thread.onSpinWait();
            }
            assert data == 1;
        }, "spinner").start();
        data = 1;
        ready = true;
    }
}
