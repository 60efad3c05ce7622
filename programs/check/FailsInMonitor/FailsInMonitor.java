import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A task throws in a synchronized method, and its worker waits for the next one after that.
 *
 * Breaks when: the account is closed before the task comes to pay.
 */
public class FailsInMonitor {
    private boolean closed;
    private int paid;

    synchronized void pay() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        paid++;
    }

    synchronized void close() {
        closed = true;
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        FailsInMonitor account = new FailsInMonitor();
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<?> task = pool.submit(account::pay);
        account.close();
        try {
            task.get(); //~ exception
        } finally {
            pool.shutdown();
        }
    }
}
