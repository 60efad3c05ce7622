import java.util.concurrent.atomic.AtomicBoolean;

/** A spin lock by getAndSet. Correct: who finds it taken has put there what was there. */
public class SpinSwap {
    static final AtomicBoolean taken = new AtomicBoolean();
    static int count;

    static void add() {
        while (taken.getAndSet(true)) {
        }
        count++;
        taken.set(false);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] all = new Thread[3];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(SpinSwap::add);
            all[i].start();
        }
        for (Thread one : all) {
            one.join();
        }
        assert count == 3;
    }
}
