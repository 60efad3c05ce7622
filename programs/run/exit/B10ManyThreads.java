import java.util.concurrent.atomic.AtomicInteger;

/** Main ends first; the last of many threads ends the program; one of them throws. */
public class B10ManyThreads {
    public static void main(String[] args) {
        AtomicInteger left = new AtomicInteger(50);
        for (int i = 0; i < 50; i++) {
            int n = i;
            new Thread(() -> {
                for (int k = 0; k < n; k++) Thread.yield();
                if (left.decrementAndGet() == 0) System.out.println("the last one");
                if (n == 13) throw new IllegalStateException("thirteen");
            }, "worker " + n).start();
        }
    }
}
