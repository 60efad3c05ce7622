/**
 * The initial thread and one other take two locks in opposite orders (JNuke, listing B.23).
 *
 * Breaks when: the thread holds a, main holds b, and each wants the other's lock.
 */
public class DeadlockMain {
    static final Object a = new Object();
    static final Object b = new Object();

    static class TakesAThenB extends Thread {
        @Override
        public void run() {
            synchronized (a) {
                synchronized (b) { //~ lock-cycle
                }
            }
        }
    }

    public static void main(String[] args) {
        new TakesAThenB().start();
        synchronized (b) {
            synchronized (a) { //~ lock-cycle
            }
        }
    }
}
