import java.io.*;

/** printStackTrace with causes, suppressed ones and common frames, to a writer. */
public class B01PrintStackTrace {
    static void a() throws Exception {
        try {
            b();
        } catch (RuntimeException e) {
            Exception outer = new Exception("outer", e);
            outer.addSuppressed(new IOException("suppressed one", new Error("its cause")));
            outer.addSuppressed(new IllegalStateException());
            throw outer;
        }
    }

    static void b() {
        try {
            c(0);
        } catch (ArithmeticException e) {
            throw new RuntimeException(e);
        }
    }

    static int c(int x) {
        return 5 / x;
    }

    static class Circular extends Exception {
        Circular() { super("circular"); }
        @Override public synchronized Throwable getCause() { return this; }
    }

    public static void main(String[] args) {
        try {
            a();
        } catch (Exception e) {
            StringWriter w = new StringWriter();
            e.printStackTrace(new PrintWriter(w));
            System.out.print(w);
            e.printStackTrace(System.out);
        }
        new Circular().printStackTrace(System.out);
        new Exception("multi\nline").printStackTrace(System.out);
        Runnable r = () -> new Exception("from a lambda").printStackTrace(System.out);
        Object o = new Object() {
            @Override public String toString() {
                new Exception("from an anonymous class").printStackTrace(System.out);
                return "";
            }
        };
        o.toString();
    }
}
