/**
 * Sieves for primes alone, then lets three threads add up under a lock.
 *
 * Correct: every addition is under the lock, and main joins all.
 */
public class LongHaul {
    static int total;

    public static void main(String[] args) throws InterruptedException {
        int size = 1000 * (args.length > 0 ? Integer.parseInt(args[0]) : 200);
        boolean[] composite = new boolean[size];
        int primes = 0;
        for (int i = 2; i < size; i++) {
            if (!composite[i]) {
                primes++;
                for (long j = (long) i * i; j < size; j += i) {
                    composite[(int) j] = true;
                }
            }
        }
        int share = primes;
        Thread[] adders = new Thread[3];
        for (int i = 0; i < adders.length; i++) {
            adders[i] = new Thread(() -> {
                synchronized (LongHaul.class) {
                    total += share;
                }
            }, "adder-" + i);
            adders[i].start();
        }
        for (Thread adder : adders) {
            adder.join();
        }
        assert total == 3 * primes;
    }
}
