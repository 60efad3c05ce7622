import java.util.logging.Logger;

/**
 * Two threads log a line each by a handler that takes its own lock twice for each of them.
 *
 * Correct: it writes the two lines one after the other.
 */
public class LogTwice {
    public static void main(String[] args) throws InterruptedException {
        Logger logger = Logger.getLogger("log.twice");
        Runnable log = () -> logger.info("hello");
        Thread one = new Thread(log, "one");
        Thread two = new Thread(log, "two");
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
