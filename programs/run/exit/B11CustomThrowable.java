/** What is printed for an uncaught exception whose methods misbehave. */
public class B11CustomThrowable {
    static class Odd extends RuntimeException {
        @Override public String toString() { return "odd one\nwith two lines"; }
    }

    public static void main(String[] args) {
        Odd o = new Odd();
        o.initCause(new Error("cause"));
        o.addSuppressed(new Exception("suppressed"));
        throw o;
    }
}
