/**
 * Two threads increment a plain field.
 *
 * Breaks when: both read 0 before either writes; then the sum is 1.
 */
public class LostUpdate {
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(LostUpdate::increment, "a");
        Thread b = new Thread(LostUpdate::increment, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2 : "lost update"; //~ assertion
    }

    static void increment() {
        count++; //~ race
    }
}
