/**
 * Prints after it has given a lock back, while another thread keeps others from printing.
 *
 * Correct: nobody wants System.out who has the lock.
 */
public class PrintAfterLock {
    static final Object lock = new Object();
    static int lines;

    public static void main(String[] args) {
        Thread reporter = new Thread(() -> {
            synchronized (System.out) {
                synchronized (lock) {
                    System.out.println(lines + " lines");
                }
            }
        }, "reporter");
        reporter.start();
        synchronized (lock) {
            lines++;
        }
        System.out.println("a line");
    }
}
