/**
 * NoEraser with the lock taken on both branches.
 *
 * Correct: x is read and written under the lock of resource only, so all accesses are ordered.
 */
public class NoEraserLocked implements Runnable {
    static class Resource {
        int x;
    }

    static final Resource resource = new Resource();

    private final String name;

    public static void main(String[] args) {
        new NoEraserLocked("A");
        new NoEraserLocked("B");
    }

    NoEraserLocked(String name) {
        this.name = name;
        new Thread(this, name).start();
    }

    @Override
    public void run() {
        int y;
        synchronized (resource) {
            y = resource.x;
        }
        int step = y == 0 && name.equals("B") ? 2 : 1;
        synchronized (resource) {
            resource.x += step;
        }
    }
}
