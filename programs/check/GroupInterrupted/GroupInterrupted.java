/**
 * Interrupts a group of threads while another thread starts one in it.
 *
 * Breaks when: the starter starts the worker before main interrupts the group, and the worker
 * has not looked yet.
 */
public class GroupInterrupted {
    static final ThreadGroup workers = new ThreadGroup("workers");

    public static void main(String[] args) {
        Runnable work = GroupInterrupted::work;
        Thread starter = new Thread(() -> new Thread(workers, work, "worker").start(), "starter");
        starter.start();
        workers.interrupt();
    }

    static void work() {
        assert !Thread.currentThread().isInterrupted(); //~ assertion
    }
}
