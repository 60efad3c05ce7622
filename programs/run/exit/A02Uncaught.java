/** An uncaught exception in main: message on stderr, exit code 1. */
public class A02Uncaught {
    public static void main(String[] args) {
        System.out.println("before");
        throw new IllegalStateException("not caught", new RuntimeException("cause"));
    }
}
