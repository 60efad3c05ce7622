/**
 * Looks whether the one who has started it waits for its end by now.
 *
 * Breaks when: it looks before `main` has come into `join`.
 */
public class SeenOnTheWay {
    public static void main(String[] args) throws InterruptedException {
        Thread main = Thread.currentThread();
        Thread child = new Thread(() -> {
            assert main.getState() == Thread.State.WAITING; //~ assertion
        });
        child.start();
        child.join();
    }
}
