/**
 * A thread adds a shutdown hook, and main exits when it has ended.
 *
 * Correct: nobody adds a hook to a program that ends.
 */
public class HookInTime {
    public static void main(String[] args) throws InterruptedException {
        Thread adder = new Thread(() -> {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {}));
        }, "adder");
        adder.start();
        adder.join();
        System.exit(0);
    }
}
