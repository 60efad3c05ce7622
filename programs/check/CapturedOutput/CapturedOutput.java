import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/**
 * A test that catches what two threads print.
 *
 * Breaks when: the second thread prints first.
 */
public class CapturedOutput {
    public static void main(String[] args) throws InterruptedException {
        ByteArrayOutputStream caught = new ByteArrayOutputStream();
        System.setOut(new PrintStream(caught));
        Thread first = new Thread(() -> System.out.print("a"));
        Thread second = new Thread(() -> System.out.print("b"));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.flush();
        assert caught.toString().equals("ab") : caught; //~ assertion
    }
}
