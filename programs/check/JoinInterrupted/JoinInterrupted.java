/**
 * A thread interrupts the one that joins it.
 *
 * Breaks when: the interrupt comes before the thread has ended, and after the other one waits.
 */
public class JoinInterrupted {
    public static void main(String[] args) {
        Thread waits = Thread.currentThread();
        Thread worker = new Thread(() -> waits.interrupt(), "worker");
        worker.start();
        try {
            worker.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("not joined"); //~ exception
        }
    }
}
