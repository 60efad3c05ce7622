/**
 * Data published by a plain flag.
 *
 * Breaks when: the reader runs while the writer does; nothing orders the accesses, so the memory
 * model allows the flag to be seen before the data. In an interleaving the assertion holds.
 */
public class Publication {
    static int data;
    static boolean ready;

    public static void main(String[] args) {
        new Thread(() -> {
            data = 42; //~ race
            ready = true; //~ race
        }, "writer").start();
        new Thread(() -> {
            if (ready) { //~ race
                assert data == 42 : "flag before data"; //~ race
            }
        }, "reader").start();
    }
}
