/**
 * One producer and two consumers without synchronization (jreplay, figures 1 to 3). It runs until
 * it fails.
 *
 * Breaks when: both consumers see one element, one takes it, and the other finds nothing in
 * {@code get}.
 */
public class Prodcons {
    public static void main(String[] args) {
        Producer p = new Producer();
        Consumer c1 = new Consumer();
        Consumer c2 = new Consumer();
        p.start();
        c1.start();
        c2.start();
        try {
            p.join();
            c1.join();
            c2.join();
        } catch (InterruptedException e) {
            // nobody interrupts
        }
        System.exit(0);
    }
}
