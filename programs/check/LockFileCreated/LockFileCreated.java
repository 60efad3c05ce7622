import java.io.File;
import java.io.IOException;

/**
 * Two workers that must not run both: whoever makes the lock file is the one. Making it tells
 * whether it was there, in one step, so only one succeeds.
 */
public class LockFileCreated {
    static void work(File lock, boolean[] made, int me) {
        try {
            made[me] = lock.createNewFile();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        File lock = File.createTempFile("worker", ".lock");
        lock.delete();
        String path = lock.getPath();
        boolean[] made = new boolean[2];
        Thread a = new Thread(() -> work(new File(path), made, 0), "a");
        Thread b = new Thread(() -> work(new File(path), made, 1), "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert made[0] != made[1];
        lock.delete();
    }
}
