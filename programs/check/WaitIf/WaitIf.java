import java.util.ArrayDeque;

/**
 * Two consumers of a mailbox that test with {@code if}.
 *
 * Breaks when: one consumer waits; a letter comes and notifies it; the other consumer takes the
 * letter first; the first one wakes up and removes from an empty mailbox.
 */
public class WaitIf {
    static class Mailbox {
        private final ArrayDeque<String> letters = new ArrayDeque<>();

        synchronized void put(String letter) {
            letters.add(letter);
            notifyAll();
        }

        synchronized String take() throws InterruptedException {
            if (letters.isEmpty()) {
                wait();
            }
            return letters.removeFirst(); //~ exception
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
