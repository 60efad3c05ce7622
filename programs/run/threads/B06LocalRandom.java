import java.util.concurrent.*;

/** ThreadLocalRandom and Math.random by their ranges; times by their order. */
public class B06LocalRandom {
    public static void main(String[] args) throws Exception {
        boolean[] ok = {true};
        Thread[] all = new Thread[3];
        for (int i = 0; i < 3; i++) {
            all[i] = new Thread(() -> {
                ThreadLocalRandom r = ThreadLocalRandom.current();
                for (int k = 0; k < 200; k++) {
                    int n = r.nextInt(5, 10);
                    double d = r.nextDouble();
                    if (n < 5 || n >= 10 || d < 0 || d >= 1 || Math.random() >= 1 || r.nextLong(3) > 2) ok[0] = false;
                }
                if (r != ThreadLocalRandom.current()) ok[0] = false;
            });
            all[i].start();
        }
        for (Thread t : all) t.join();
        System.out.println(ok[0]);
        long a = System.nanoTime(), b = System.nanoTime();
        System.out.println((b >= a) + " " + (System.currentTimeMillis() > 0) + (java.time.Instant.now().isAfter(java.time.Instant.EPOCH)));
        try {
            ThreadLocalRandom.current().setSeed(1);
        } catch (UnsupportedOperationException e) {
            System.out.println(e);
        }
        java.util.UUID u = java.util.UUID.randomUUID(), v = java.util.UUID.randomUUID();
        System.out.println(u.version() + " " + u.equals(v));
    }
}
