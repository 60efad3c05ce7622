/**
 * A maker shows a list before it has filled it, and a user makes lists of its own besides.
 *
 * Broken: nothing orders what both write into the list. It is known by its number among all arrays,
 * which becomes another one when the user has made some; the story calls it the same all through.
 */
public class NumbersShift {
    static volatile Object[] shown = new Object[1];
    static int length;

    public static void main(String[] args) {
        new Thread(NumbersShift::make, "maker").start();
        new Thread(() -> {}, "other").start();
        new Thread(NumbersShift::use, "user").start();
    }

    static void make() {
        Object[] made = new Object[1];
        shown = made;
        made[0] = "made"; //~ race
    }

    static void use() {
        Object[] list = shown;
        list[0] = "used"; //~ race
        Object[] first = new Object[2];
        Object[] second = {first};
        length = second.length;
    }
}
