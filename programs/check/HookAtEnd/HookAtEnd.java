/**
 * A shutdown hook looks at what two threads have counted under a lock, without taking it.
 *
 * Correct: it starts when both have ended, and sees all that they did.
 */
public class HookAtEnd {
    static int sum;

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (sum != 2) {
                throw new IllegalStateException("the sum is " + sum);
            }
        }, "hook"));
        new Thread(HookAtEnd::increment, "one").start();
        new Thread(HookAtEnd::increment, "two").start();
    }

    static synchronized void increment() {
        sum++;
    }
}
