/**
 * Two threads make one more thread each, and give it a name.
 *
 * Correct: a name that is given is that of the thread, whoever is first.
 */
public class NamedThreads {
    static String name;

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> name = new Thread(() -> { }, "own").getName(), "first");
        Thread second = new Thread(() -> new Thread(() -> { }, "other"), "second");
        first.start();
        second.start();
        first.join();
        second.join();
        assert name.equals("own");
    }
}
