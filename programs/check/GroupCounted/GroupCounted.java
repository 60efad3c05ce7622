/**
 * Takes an empty group for one whose threads are done.
 *
 * Breaks when: main counts before the starter has started the worker.
 */
public class GroupCounted {
    static final ThreadGroup workers = new ThreadGroup("workers");
    static volatile boolean done;

    public static void main(String[] args) {
        Runnable work = () -> done = true;
        Thread starter = new Thread(() -> new Thread(workers, work, "worker").start(), "starter");
        starter.start();
        if (workers.activeCount() == 0) {
            assert done; //~ assertion
        }
    }
}
