import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A thread-local that is removed when its task ends.
 *
 * Correct: whichever worker runs a task, it starts clean.
 */
public class ThreadLocalRemoved {
    static final ThreadLocal<String> user = new ThreadLocal<>();

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<Boolean> a = pool.submit(() -> serve("alice"));
        Future<Boolean> b = pool.submit(() -> serve("bob"));
        boolean clean = a.get() & b.get();
        pool.shutdown();
        assert clean : "saw somebody else's session";
    }

    static boolean serve(String name) {
        boolean clean = user.get() == null;
        user.set(name);
        try {
            return clean;
        } finally {
            user.remove();
        }
    }
}
