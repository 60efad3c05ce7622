/**
 * Two threads format a number at once, each for itself.
 *
 * Correct: it makes no difference which of them has the library make its tables.
 */
public class FormatTwice {
    static String first;
    static String second;

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(() -> first = String.format("%,d", 1000), "one");
        Thread two = new Thread(() -> second = String.format("%,d", 1000), "two");
        one.start();
        two.start();
        one.join();
        two.join();
        assert first.equals(second);
    }
}
