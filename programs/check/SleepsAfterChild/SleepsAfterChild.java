/** Correct: nothing is shared; main sleeps on when the child has ended. */
public class SleepsAfterChild {
    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> { }, "child").start();
        Thread.sleep(1000);
    }
}
