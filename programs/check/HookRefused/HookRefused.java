/**
 * A thread adds a shutdown hook while main exits.
 *
 * Breaks when main has closed the list of hooks and has not halted yet: the hook is refused.
 */
public class HookRefused {
    public static void main(String[] args) {
        new Thread(() -> {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {})); //~ exception
        }, "adder").start();
        System.exit(0);
    }
}
