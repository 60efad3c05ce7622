/**
 * Both threads notify, wait and notify (Rivet, figure 2.21).
 *
 * Correct, as long as nobody wakes up without a notify: the second one to come wakes the first,
 * then waits, and the first wakes the second before it leaves. A search that ends a path with
 * delayed threads must not call this stuck.
 */
public class Fig2_21 {
    static final Object a = new Object();

    static class Both extends Thread {
        @Override
        public void run() {
            synchronized (a) {
                a.notify(); // 2, 7
                try {
                    a.wait(); // 3, 8
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                a.notify(); // 4, 9
            }
        }
    }

    public static void main(String[] args) {
        new Both().start();
        new Both().start();
    }
}
