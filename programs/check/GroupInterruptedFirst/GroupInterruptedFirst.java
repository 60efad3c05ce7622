/**
 * Interrupts a group of threads before another thread starts one in it.
 *
 * Correct: nobody is in the group yet.
 */
public class GroupInterruptedFirst {
    static final ThreadGroup workers = new ThreadGroup("workers");

    public static void main(String[] args) {
        Runnable work = GroupInterruptedFirst::work;
        Thread starter = new Thread(() -> new Thread(workers, work, "worker").start(), "starter");
        workers.interrupt();
        starter.start();
    }

    static void work() {
        assert !Thread.currentThread().isInterrupted();
    }
}
