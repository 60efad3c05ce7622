/**
 * Each thread waits once, and only one of the notifies can meet a waiter (Rivet, figure 2.20).
 *
 * Breaks when: Thread 2 notifies before Thread 1 waits; then both wait and nobody is left.
 */
public class Fig2_20 {
    static final Object a = new Object();

    static class Thread1 extends Thread {
        @Override
        public void run() {
            synchronized (a) {
                pause(); // 2
                a.notify(); // 3
            }
        }
    }

    static class Thread2 extends Thread {
        @Override
        public void run() {
            synchronized (a) {
                a.notify(); // 6
                pause(); // 7
            }
        }
    }

    static void pause() {
        try {
            a.wait(); //~ condition-deadlock
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        new Thread1().start();
        new Thread2().start();
    }
}
