import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.PrintStream;

/**
 * Reads class files from standard input, each after its length, loads and links
 * each in a loader of its own, and prints one line per class: how far it got,
 * the error's class and its message.
 */
public class Harness {
    static final class One extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        while (true) {
            int length;
            try {
                length = in.readInt();
            } catch (EOFException end) {
                break;
            }
            byte[] bytes = new byte[length];
            in.readFully(bytes);
            out.println(load(bytes));
        }
        out.flush();
    }

    static String load(byte[] bytes) {
        Class<?> c;
        try {
            c = new One().define(bytes);
        } catch (Throwable t) {
            return "define\t" + show(t);
        }
        try {
            // Linking, and with it verification, is the first thing this does.
            if (c.isInterface()) {
                c.getDeclaredFields();
            } else {
                c.getDeclaredConstructors();
            }
        } catch (Throwable t) {
            return "link\t" + show(t);
        }
        return "ok\t\t";
    }

    static String show(Throwable t) {
        String message = t.getMessage() == null ? "" : t.getMessage();
        message = message.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
        return t.getClass().getName().replace('.', '/') + "\t" + message;
    }
}
