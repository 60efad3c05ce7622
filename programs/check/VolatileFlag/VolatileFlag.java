/** Correct: the flag is volatile, and the waiter ends when it sees it. */
public class VolatileFlag {
    static volatile int ready;

    public static void main(String[] args) {
        new Thread(() -> {
            while (ready == 0) {
            }
        }, "waiter").start();
        ready = 1;
    }
}
