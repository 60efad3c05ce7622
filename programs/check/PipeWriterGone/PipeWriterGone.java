import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;

/**
 * A reader of a pipe asks for more than the writer has.
 *
 * Broken in every schedule: the writer ends without closing its end of the pipe, and the reader, which
 * looks whether it is alive every now and then, finds it dead.
 */
public class PipeWriterGone {
    public static void main(String[] args) throws IOException {
        PipedInputStream in = new PipedInputStream();
        PipedOutputStream out = new PipedOutputStream(in);
        new Thread(() -> write(out), "writer").start();
        assert in.read() == 7;
        in.read(); //~ exception
    }

    static void write(PipedOutputStream out) {
        try {
            out.write(7);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
