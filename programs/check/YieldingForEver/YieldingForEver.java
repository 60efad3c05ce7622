/** Breaks: in every schedule, the thread gives way for ever, and the program never ends. */
public class YieldingForEver {
    public static void main(String[] args) {
        new Thread(() -> {
            while (true) {
                Thread.yield();
            }
        }, "idle").start();
    }
}
