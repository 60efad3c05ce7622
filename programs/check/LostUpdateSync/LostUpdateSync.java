/**
 * Two threads increment a field in a synchronized method.
 *
 * Correct: the increments exclude each other, and main reads after both joins.
 */
public class LostUpdateSync {
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(LostUpdateSync::increment, "a");
        Thread b = new Thread(LostUpdateSync::increment, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2 : "lost update";
    }

    static synchronized void increment() {
        count++;
    }
}
