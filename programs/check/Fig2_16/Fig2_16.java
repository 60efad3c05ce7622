/**
 * Two threads that take two locks in opposite orders, one after the other (Rivet, figure 2.16).
 *
 * Correct: nobody holds a lock while wanting another. A lock-order analysis must not be fooled.
 */
public class Fig2_16 {
    static final Object a = new Object();
    static final Object b = new Object();

    static class Own extends Thread {
        private int steps;

        void step() {
            steps++; // seen by this thread only
        }
    }

    static class Thread1 extends Own {
        @Override
        public void run() {
            step(); // 1
            synchronized (a) {
                step(); // 2
            }
            step(); // 3
            synchronized (b) {
                step(); // 4
            }
            step(); // 5
        }
    }

    static class Thread2 extends Own {
        @Override
        public void run() {
            step(); // 6
            synchronized (b) {
                step(); // 7
            }
            step(); // 8
            synchronized (a) {
                step(); // 9
            }
            step(); // 10
        }
    }

    public static void main(String[] args) {
        new Thread1().start();
        new Thread2().start();
    }
}
