/**
 * Two threads make one more thread each, without a name.
 *
 * Breaks when: the second one is first, so the thread of the first one is called Thread-1.
 */
public class NumberedThreads {
    static String name;

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> name = new Thread(() -> { }).getName(), "first");
        Thread second = new Thread(() -> new Thread(() -> { }), "second");
        first.start();
        second.start();
        first.join();
        second.join();
        assert name.equals("Thread-0"); //~ assertion
    }
}
