/**
 * A thread is stopped right after its start, wherever it is then: not begun, at work, or over.
 *
 * Correct: who is stopped has added all or nothing, since the sum is one assignment.
 */
public class StopAtOnce {
    static volatile int sum;

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws InterruptedException {
        Thread adder = new Thread(() -> sum = 1, "adder");
        adder.start();
        adder.stop();
        adder.join();
        int seen = sum;
        assert seen == 0 || seen == 1;
    }
}
