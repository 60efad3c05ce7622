import java.util.Hashtable;

/**
 * Two tables of the library, each with a lock of its own, are compared with each other.
 *
 * Breaks when: each thread has locked the table that it asks, and looks into the other one.
 */
public class CrossedEquals {
    static final Hashtable<String, String> here = new Hashtable<>();
    static final Hashtable<String, String> there = new Hashtable<>();

    static boolean same(Hashtable<String, String> one, Hashtable<String, String> other) {
        return one.equals(other); //~ lock-cycle
    }

    public static void main(String[] args) throws InterruptedException {
        here.put("k", "v");
        there.put("k", "v");
        Thread other = new Thread(() -> same(here, there), "other");
        other.start();
        same(there, here);
        other.join();
    }
}
