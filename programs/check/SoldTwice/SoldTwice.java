import java.util.concurrent.atomic.AtomicInteger;

/**
 * The last piece is sold to two buyers, and both the seller and the stocktaking notice.
 *
 * Breaks when: both buyers look before either takes. The later one throws, and after that the
 * assertion of main fails, too.
 */
public class SoldTwice {
    static final AtomicInteger stock = new AtomicInteger(1);

    static void buy() {
        if (stock.get() > 0 && stock.decrementAndGet() < 0) {
            throw new IllegalStateException("sold twice"); //~ exception
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> buy(), "first");
        Thread second = new Thread(() -> buy(), "second");
        first.start();
        second.start();
        first.join();
        second.join();
        assert stock.get() == 0 : stock.get(); //~ assertion
    }
}
