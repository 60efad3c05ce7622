/**
 * Two threads print by {@code printf}, which holds the lock of {@code System.out} while it looks
 * into tables of the library that all threads share.
 */
public class PrintfByTwo {
    static volatile int done;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> tell("a"));
        Thread b = new Thread(() -> tell("b"));
        a.start();
        b.start();
        a.join();
        b.join();
        assert done == 1;
    }

    static void tell(String name) {
        System.out.printf("%s is thread %d%n", name, Thread.currentThread().getPriority());
        done = 1;
    }
}
