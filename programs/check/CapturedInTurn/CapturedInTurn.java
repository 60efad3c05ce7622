import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/**
 * A test that catches what two threads print, one after the other.
 *
 * Correct: the second thread is started when the first one has ended.
 */
public class CapturedInTurn {
    public static void main(String[] args) throws InterruptedException {
        ByteArrayOutputStream caught = new ByteArrayOutputStream();
        System.setOut(new PrintStream(caught));
        Thread first = new Thread(() -> System.out.print("a"));
        Thread second = new Thread(() -> System.out.print("b"));
        first.start();
        first.join();
        second.start();
        second.join();
        System.out.flush();
        assert caught.toString().equals("ab") : caught;
    }
}
