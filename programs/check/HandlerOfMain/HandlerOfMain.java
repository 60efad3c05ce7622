import java.util.ArrayDeque;
import java.util.Deque;

/**
 * main takes what a worker may not have brought yet, and a handler of its own takes the exception.
 *
 * Breaks when: main comes first. The handler keeps java from printing the exception; the exit code is 1
 * all the same. What the worker's handler takes makes no such difference.
 */
public class HandlerOfMain {
    static final Deque<String> brought = new ArrayDeque<>();

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler((thread, exception) -> {});
        new Thread(HandlerOfMain::bring, "worker").start();
        synchronized (brought) {
            brought.remove(); //~ exit-code
        }
    }

    static void bring() {
        synchronized (brought) {
            brought.add("it");
        }
        throw new IllegalStateException("had enough");
    }
}
