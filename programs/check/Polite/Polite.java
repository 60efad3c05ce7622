import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two polite diners and one spoon: whoever has it gives it away while the other one is hungry.
 *
 * Breaks when: neither gets to eat; the spoon goes to and fro for ever. No thread is ever blocked.
 */
public class Polite {
    static final AtomicInteger spoon = new AtomicInteger();
    static volatile boolean hungry0 = true;
    static volatile boolean hungry1 = true;

    public static void main(String[] args) {
        new Thread(() -> {
            while (hungry0) { //~ livelock
                if (spoon.get() != 0) {
                    Thread.yield();
                } else if (hungry1) {
                    spoon.set(1);
                } else {
                    hungry0 = false;
                    spoon.set(1);
                }
            }
        }, "diner-0").start();
        new Thread(() -> {
            while (hungry1) {
                if (spoon.get() != 1) {
                    Thread.yield();
                } else if (hungry0) { //~ livelock
                    spoon.set(0);
                } else {
                    hungry1 = false;
                    spoon.set(0);
                }
            }
        }, "diner-1").start();
    }
}
