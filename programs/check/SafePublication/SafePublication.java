/**
 * An object published through a volatile field.
 *
 * Correct: the contents are written before the reference.
 */
public class SafePublication {
    static class Box {
        int value;

        Box(int value) {
            this.value = value;
        }
    }

    static volatile Box box;

    public static void main(String[] args) {
        new Thread(() -> box = new Box(1), "writer").start();
        new Thread(() -> {
            Box seen = box;
            if (seen != null) {
                assert seen.value == 1;
            }
        }, "reader").start();
    }
}
