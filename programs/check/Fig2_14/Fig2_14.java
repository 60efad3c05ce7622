/**
 * Two threads that nest two locks in opposite orders, with code of their own in between (Rivet,
 * figure 2.14; the numbers are those of the figure).
 *
 * Breaks when: 2 comes before 8 and 7 comes before 3.
 */
public class Fig2_14 {
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
            synchronized (b) {
                step(); // 7
                synchronized (a) { //~ lock-cycle
                    step(); // 8
                }
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
