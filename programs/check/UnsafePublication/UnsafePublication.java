/**
 * An object published through a plain field.
 *
 * Breaks when: the reader gets the reference while the writer publishes it; nothing makes the
 * contents visible.
 */
public class UnsafePublication {
    static class Box {
        int value;

        Box(int value) {
            this.value = value; //~ race
        }
    }

    static Box box;

    public static void main(String[] args) {
        new Thread(() -> box = new Box(1), "writer").start(); //~ race
        new Thread(() -> {
            Box seen = box; //~ race
            if (seen != null) {
                assert seen.value == 1; //~ race
            }
        }, "reader").start();
    }
}
