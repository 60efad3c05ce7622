import java.util.concurrent.atomic.AtomicReference;

/**
 * One thread ends the program while another one works.
 *
 * Breaks when: the closer takes the file away, and the worker uses it before the exit.
 */
public class ExitEarly {
    static final AtomicReference<StringBuilder> file = new AtomicReference<>(new StringBuilder());

    public static void main(String[] args) {
        new Thread(() -> {
            file.get().append("line"); //~ exception
        }, "worker").start();
        new Thread(() -> {
            file.set(null);
            System.exit(0);
        }, "closer").start();
    }
}
