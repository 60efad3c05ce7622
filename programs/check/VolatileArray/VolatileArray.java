/**
 * A volatile reference to an array with plain elements.
 *
 * Breaks when: the reader looks at the element while the writer sets it; volatile orders only the
 * accesses to the reference.
 */
public class VolatileArray {
    static volatile int[] cells = new int[2];

    public static void main(String[] args) {
        new Thread(() -> cells[1] = 5, "writer").start(); //~ race
        new Thread(() -> {
            int seen = cells[1]; //~ race
            assert seen == 0 || seen == 5;
        }, "reader").start();
    }
}
