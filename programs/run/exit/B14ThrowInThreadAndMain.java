/** Exceptions with causes from a library thread pool: the exit code stays 0, the pool goes on. */
public class B14ThrowInThreadAndMain {
    public static void main(String[] args) throws Exception {
        java.util.concurrent.ExecutorService ex = java.util.concurrent.Executors.newSingleThreadExecutor(r -> new Thread(r, "pool thread"));
        ex.execute(() -> { throw new IllegalStateException("from execute", new RuntimeException("why")); });
        System.out.println(ex.submit(() -> "still working").get());
        ex.submit(() -> { throw new Error("swallowed by the future"); });
        ex.shutdown();
        System.out.println(ex.awaitTermination(10, java.util.concurrent.TimeUnit.SECONDS));
    }
}
