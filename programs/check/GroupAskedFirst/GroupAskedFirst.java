/**
 * Asks a thread for its group before the start, and sees after its end that it has left.
 *
 * Correct: nobody can be gone before the start, nor be there after the join.
 */
public class GroupAskedFirst {
    static String name;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {}, "worker");
        ThreadGroup group = worker.getThreadGroup();
        name = group.getName();
        worker.start();
        worker.join();
        Thread[] members = new Thread[2];
        assert worker.getThreadGroup() == null;
        assert group.activeCount() == 1 && group.enumerate(members) == 1;
        assert members[0] == Thread.currentThread();
    }
}
