import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Breaks: main looks (free), other looks (free), both set it and both are inside. Looking and taking
 * are two steps here.
 */
public class SpinLockLeaky {
    static final AtomicBoolean taken = new AtomicBoolean();
    static int count;

    static void enter() {
        while (taken.get()) {
            Thread.onSpinWait();
        }
        taken.set(true);
        count++;
        taken.set(false);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(SpinLockLeaky::enter, "other");
        other.start();
        enter();
        other.join();
        assert count == 2 : "an increment was lost";
    }
}
