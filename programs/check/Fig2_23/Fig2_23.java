/**
 * Both kinds of deadlock in one program (Rivet, figure 2.23).
 *
 * Breaks always. Lock cycle: Thread 1 holds a, Thread 2 holds b. Condition deadlock: one of them
 * gets both locks and waits on a; the wait gives a back but not b, and nobody ever notifies.
 */
public class Fig2_23 {
    static final Object a = new Object();
    static final Object b = new Object();

    static class Thread1 extends Thread {
        @Override
        public void run() {
            synchronized (a) {
                synchronized (b) { //~ lock-cycle condition-deadlock
                    pause(); // 4
                }
            }
        }
    }

    static class Thread2 extends Thread {
        @Override
        public void run() {
            synchronized (b) { //~ condition-deadlock
                synchronized (a) { //~ lock-cycle
                    pause(); // 10
                }
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
