/**
 * Data published by a volatile flag.
 *
 * Correct: who reads true has the write of data before it (happens-before through the flag).
 */
public class PublicationVolatile {
    static int data;
    static volatile boolean ready;

    public static void main(String[] args) {
        new Thread(() -> {
            data = 42;
            ready = true;
        }, "writer").start();
        new Thread(() -> {
            if (ready) {
                assert data == 42 : "flag before data";
            }
        }, "reader").start();
    }
}
