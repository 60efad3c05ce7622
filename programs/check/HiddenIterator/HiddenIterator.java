import java.util.HashSet;
import java.util.Set;

/**
 * A set that is guarded by a lock, and a message that iterates over it without.
 *
 * Breaks when: the other thread adds while the message is put together: to print a set is to
 * walk through it (after Goetz and others, Java Concurrency in Practice, section 5.1.3).
 */
public class HiddenIterator {
    private final Set<Integer> seen = new HashSet<>();

    private synchronized void add(int number) {
        seen.add(number); //~ race
    }

    private void report() {
        System.out.println("seen so far: " + seen); //~ race
    }

    public static void main(String[] args) throws InterruptedException {
        HiddenIterator sight = new HiddenIterator();
        Thread adder = new Thread(() -> sight.add(2), "adder");
        adder.start();
        sight.add(1);
        sight.report();
        adder.join();
    }
}
