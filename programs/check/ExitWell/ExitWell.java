/**
 * Two threads increment a counter under a lock; main says by the exit code whether the sum is right.
 *
 * Correct: no update is lost, and the exit code is 0.
 */
public class ExitWell {
    static int sum;

    static synchronized void increment() {
        sum++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(ExitWell::increment, "one");
        Thread two = new Thread(ExitWell::increment, "two");
        one.start();
        two.start();
        one.join();
        two.join();
        System.exit(sum == 2 ? 0 : 1);
    }
}
