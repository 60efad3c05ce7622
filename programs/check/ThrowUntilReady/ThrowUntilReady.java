/**
 * A thread tries again and again what throws an exception until another one is done.
 *
 * Correct: the other one does become ready. Each round of the loop makes an exception, which
 * nobody else sees, and ends where it began; so the loop only looks.
 */
public class ThrowUntilReady {
    static volatile boolean ready;
    static volatile int answer;

    static int ask() {
        if (!ready) {
            throw new IllegalStateException("answer is " + answer);
        }
        return answer;
    }

    static int insist() {
        while (true) {
            try {
                return ask();
            } catch (IllegalStateException e) {
                Thread.yield();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread asker = new Thread(() -> {
            int got = insist();
            assert got == 42;
        });
        asker.start();
        answer = 42;
        ready = true;
        asker.join();
    }
}
