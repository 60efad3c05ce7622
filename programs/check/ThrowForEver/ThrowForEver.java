/**
 * A thread tries again and again what throws an exception, but the other one takes back what
 * it waits for.
 *
 * Breaks when: the thread looks before the other one is ready, and again when it is not any more.
 */
public class ThrowForEver {
    static volatile boolean ready;

    static class NotReady extends Exception {
    }

    static void ask() throws NotReady {
        if (!ready) { //~ livelock
            throw new NotReady();
        }
    }

    static void insist() {
        while (true) {
            try {
                ask();
                return;
            } catch (NotReady e) {
                Thread.yield();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread asker = new Thread(ThrowForEver::insist, "asker");
        asker.start();
        ready = true;
        ready = false;
        asker.join();
    }
}
