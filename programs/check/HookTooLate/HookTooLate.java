/**
 * A shutdown hook looks at what two threads have counted, without a lock.
 *
 * Breaks when both read before one of them writes. The hook itself races with nobody: it starts when both have ended.
 */
public class HookTooLate {
    static int sum; // the threads race for it

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (sum != 2) {
                throw new IllegalStateException("the sum is " + sum); //~ exception
            }
        }, "hook"));
        new Thread(HookTooLate::increment, "one").start();
        new Thread(HookTooLate::increment, "two").start();
    }

    static void increment() {
        sum++; //~ race
    }
}
