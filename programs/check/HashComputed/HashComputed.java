/**
 * Two threads ask a string for its hash code, which the first of them computes, and race after that.
 *
 * Breaks when: one of them looks before the other one has written.
 */
public class HashComputed {
    static int left, right;
    static boolean sawRight, sawLeft;

    public static void main(String[] args) throws InterruptedException {
        String name = new StringBuilder("warp").append(args.length).toString();
        Thread other = new Thread(() -> {
            if (name.hashCode() != 0) {
                left = 1; //~ race
            }
            sawRight = right == 1; //~ race
        });
        other.start();
        if (name.hashCode() != 0) {
            right = 1; //~ race
        }
        sawLeft = left == 1; //~ race
        other.join();
        assert sawLeft && sawRight; //~ assertion
    }
}
