/**
 * Asks a thread for its group after the start.
 *
 * Breaks when: the worker has ended before main asks; a thread that has ended is in no group.
 */
public class GroupOfEnded {
    static String name;

    public static void main(String[] args) {
        Thread worker = new Thread(() -> {}, "worker");
        worker.start();
        name = worker.getThreadGroup().getName(); //~ exception
    }
}
