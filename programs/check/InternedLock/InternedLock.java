/**
 * A lock per name: an interned string.
 *
 * Correct: whoever interns the same text gets the same object.
 */
public class InternedLock {
    static int visits;

    static void visit(String name) {
        synchronized (("guest " + name).intern()) {
            visits++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> visit("ann"));
        other.start();
        visit("ann");
        other.join();
        assert visits == 2;
    }
}
