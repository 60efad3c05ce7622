/**
 * SplitSync with the increment in one critical section.
 *
 * Correct: nobody can write x between the read and the assertion, since the lock is held over both.
 */
public class SplitSyncWhole implements Runnable {
    static class Resource {
        int x;
    }

    static final Resource resource = new Resource();

    public static void main(String[] args) {
        new SplitSyncWhole();
        new SplitSyncWhole();
    }

    SplitSyncWhole() {
        new Thread(this).start();
    }

    @Override
    public void run() {
        synchronized (resource) {
            int y = resource.x;
            assert resource.x == y : "shared variable was modified";
            resource.x = y + 1;
        }
    }
}
