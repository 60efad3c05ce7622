/**
 * Reads the sum after both joins.
 *
 * Correct: start and join order every access; no lock is needed.
 */
public class JoinAll {
    static final int[] parts = new int[2];

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> parts[0] = 1, "a");
        Thread b = new Thread(() -> parts[1] = 2, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        int sum = parts[0] + parts[1];
        assert sum == 3 : "a part is missing";
    }
}
