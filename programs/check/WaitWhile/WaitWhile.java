import java.util.ArrayDeque;

/**
 * Two consumers of a mailbox that test with {@code while}.
 *
 * Correct: two letters for two consumers, and each looks again before it removes one.
 */
public class WaitWhile {
    static class Mailbox {
        private final ArrayDeque<String> letters = new ArrayDeque<>();

        synchronized void put(String letter) {
            letters.add(letter);
            notifyAll();
        }

        synchronized String take() throws InterruptedException {
            while (letters.isEmpty()) {
                wait();
            }
            return letters.removeFirst();
        }
    }

    public static void main(String[] args) {
        Mailbox mailbox = new Mailbox();
        Runnable consumer = () -> {
            try {
                mailbox.take();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        new Thread(consumer, "consumer-1").start();
        new Thread(consumer, "consumer-2").start();
        new Thread(() -> {
            mailbox.put("a");
            mailbox.put("b");
        }, "postman").start();
    }
}
