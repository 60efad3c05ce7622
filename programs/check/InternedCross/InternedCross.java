/**
 * A lock that is a constant in one place and an interned string in another.
 *
 * Breaks when: each thread has one of the two locks and wants the other.
 */
public class InternedCross {
    static final Object door = new Object();

    static void enter(String name) {
        synchronized (("guest " + name).intern()) {
            synchronized (door) { //~ lock-cycle deadlock
            }
        }
    }

    public static void main(String[] args) {
        new Thread(() -> enter("ann"), "ann").start();
        new Thread(() -> {
            synchronized (door) {
                synchronized ("guest ann") { //~ lock-cycle deadlock
                }
            }
        }, "host").start();
    }
}
