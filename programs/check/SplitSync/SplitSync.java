/**
 * An increment split into two critical sections (Rivet, figures 1.1 and 4.2).
 *
 * Breaks when: A reads x = 0; B reads x = 0 and writes 1; A comes back and finds that x changed.
 */
public class SplitSync implements Runnable {
    static class Resource {
        int x;
    }

    static final Resource resource = new Resource();

    public static void main(String[] args) {
        new SplitSync();
        new SplitSync();
    }

    SplitSync() {
        new Thread(this).start();
    }

    @Override
    public void run() {
        int y;
        synchronized (resource) {
            y = resource.x;
        }
        synchronized (resource) {
            assert resource.x == y : "shared variable was modified"; //~ assertion
            resource.x = y + 1;
        }
    }
}
