import java.util.HashSet;
import java.util.Set;

/**
 * A set that is guarded by a lock, and a message that iterates over it under the same lock.
 *
 * Correct: nobody adds while the message is put together.
 */
public class HiddenIteratorLocked {
    private final Set<Integer> seen = new HashSet<>();

    private synchronized void add(int number) {
        seen.add(number);
    }

    private synchronized void report() {
        System.out.println("seen so far: " + seen);
    }

    public static void main(String[] args) throws InterruptedException {
        HiddenIteratorLocked sight = new HiddenIteratorLocked();
        Thread adder = new Thread(() -> sight.add(2), "adder");
        adder.start();
        sight.add(1);
        sight.report();
        adder.join();
    }
}
