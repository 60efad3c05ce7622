/**
 * Two threads wait for each other's end.
 *
 * Breaks when: the second one sees the first one in the list before it has ended. (When it looks
 * before main has set the list, it does not join.)
 */
public class JoinCycle {
    static volatile Thread first;
    static volatile Thread second;

    public static void main(String[] args) {
        Thread a = new Thread(() -> joinIfSet(second), "a");
        Thread b = new Thread(() -> joinIfSet(first), "b");
        first = a;
        a.start();
        second = b;
        b.start();
    }

    static void joinIfSet(Thread other) {
        if (other != null) {
            try {
                other.join(); //~ deadlock condition-deadlock
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
