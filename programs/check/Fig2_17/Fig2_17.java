/**
 * A deadlock that pruning by data dependence alone loses (Rivet, figure 2.17).
 *
 * Breaks when: Thread 2 has passed 7 and is at 9, holding b, while Thread 1 is at 2, holding a.
 */
public class Fig2_17 {
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
                synchronized (b) { //~ lock-cycle
                    step(); // 3
                }
                step(); // 4
            }
            step(); // 5
        }
    }

    static class Thread2 extends Own {
        @Override
        public void run() {
            step(); // 6
            synchronized (a) {
                step(); // 7
            }
            step(); // 8
            synchronized (b) {
                step(); // 9
                synchronized (a) { //~ lock-cycle
                    step(); // 10
                }
                step(); // 11
            }
            step(); // 12
        }
    }

    public static void main(String[] args) {
        new Thread1().start();
        new Thread2().start();
    }
}
