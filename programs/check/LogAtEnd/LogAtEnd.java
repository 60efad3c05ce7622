import java.util.logging.Logger;

/**
 * A thread asks for a logger and counts, and so does the initial one, which ends without waiting
 * for it. The library has registered a shutdown hook for its loggers.
 *
 * Correct: the hook starts when both have ended, whoever ends first.
 */
public class LogAtEnd {
    static int sum;

    public static void main(String[] args) {
        new Thread(LogAtEnd::count, "other").start();
        count();
    }

    static void count() {
        Logger.getLogger("log.at.end");
        synchronized (LogAtEnd.class) {
            sum++;
        }
    }
}
