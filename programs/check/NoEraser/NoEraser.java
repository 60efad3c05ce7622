/**
 * A race in some schedules only (Rivet, figures 2.2 and 4.4).
 *
 * Breaks when: B reads x = 0 before A increments; then B increments without the lock.
 */
public class NoEraser implements Runnable {
    static class Resource {
        int x;
    }

    static final Resource resource = new Resource();

    private final String name;

    public static void main(String[] args) {
        new NoEraser("A");
        new NoEraser("B");
    }

    NoEraser(String name) {
        this.name = name;
        new Thread(this, name).start();
    }

    @Override
    public void run() {
        int y;
        synchronized (resource) {
            y = resource.x; //~ race
        }
        if (y == 0 && name.equals("B")) {
            resource.x++; //~ race
        } else {
            synchronized (resource) {
                resource.x++; //~ race
            }
        }
    }
}
