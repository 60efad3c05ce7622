/**
 * An array is cloned while another thread fills it.
 *
 * Breaks when: the copy is made between the two writes.
 */
public class CloneShared {
    public static void main(String[] args) throws Exception {
        int[] pair = new int[2];
        Thread writer = new Thread(() -> {
            pair[0] = 1; //~ race
            pair[1] = 1; //~ race
        }, "writer");
        writer.start();
        int[] copy = pair.clone(); //~ race
        assert copy[0] == copy[1] : "torn"; //~ assertion
        writer.join();
    }
}
