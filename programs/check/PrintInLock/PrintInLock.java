/**
 * Prints with a lock, while another thread keeps others from printing and wants the lock.
 *
 * Breaks when: the printer has the lock and the reporter has System.out, whose monitor
 * println takes.
 */
public class PrintInLock {
    static final Object lock = new Object();
    static int lines;

    public static void main(String[] args) {
        Thread reporter = new Thread(() -> {
            synchronized (System.out) {
                synchronized (lock) { //~ lock-cycle
                    System.out.println(lines + " lines");
                }
            }
        }, "reporter");
        reporter.start();
        synchronized (lock) {
            lines++;
            System.out.println("a line"); //~ lock-cycle
        }
    }
}
