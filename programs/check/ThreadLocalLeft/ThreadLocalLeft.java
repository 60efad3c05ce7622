import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A thread-local that outlives its task.
 *
 * Breaks when: the worker that served alice takes the third task, which finds her session; on the
 * other worker it starts clean.
 */
public class ThreadLocalLeft {
    static final ThreadLocal<String> user = new ThreadLocal<>();

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.submit(() -> serve("alice"));
        pool.submit(() -> serve(null));
        Future<Boolean> third = pool.submit(() -> serve(null));
        boolean clean = third.get();
        pool.shutdown();
        assert clean : "saw somebody else's session"; //~ assertion
    }

    static boolean serve(String name) {
        boolean clean = user.get() == null;
        if (name != null) {
            user.set(name);
        }
        return clean;
    }
}
