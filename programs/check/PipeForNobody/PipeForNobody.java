import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;

/**
 * A reader of a pipe into which nobody writes.
 *
 * Broken in every schedule: the reader looks for a byte every now and then, for ever.
 */
public class PipeForNobody {
    static PipedOutputStream out;

    public static void main(String[] args) throws IOException {
        PipedInputStream in = new PipedInputStream();
        out = new PipedOutputStream(in);
        new Thread(() -> read(in), "reader").start();
    }

    static void read(PipedInputStream in) {
        try {
            in.read(); //~ livelock
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
