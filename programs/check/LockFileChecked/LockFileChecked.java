import java.io.File;
import java.io.IOException;

/**
 * Two workers that must not run both: whoever finds no lock file makes one.
 *
 * Breaks when: both look before either makes the file. Nothing in memory is shared; what the
 * threads have in common is a file.
 */
public class LockFileChecked {
    static void work(File lock) {
        try {
            if (!lock.exists()) {
                if (!lock.createNewFile()) {
                    throw new IllegalStateException("somebody else has the lock file"); //~ exception
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        File lock = File.createTempFile("worker", ".lock");
        lock.delete();
        String path = lock.getPath();
        Thread a = new Thread(() -> work(new File(path)), "a");
        Thread b = new Thread(() -> work(new File(path)), "b");
        a.start();
        b.start();
        a.join();
        b.join();
        lock.delete();
    }
}
