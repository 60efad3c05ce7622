/**
 * Breaks: the loop may read the plain field once and never again; nothing orders the write before
 * the read. (Heddle reads it every time; it is the race that it reports.)
 */
public class PlainFlag {
    static int ready;

    public static void main(String[] args) {
        new Thread(() -> {
            while (ready == 0) {
            }
        }, "waiter").start();
        ready = 1;
    }
}
