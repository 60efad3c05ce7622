import java.util.concurrent.atomic.*;

/** Spinning on volatile flags, Dekker-like hand-over, publication. */
public class B04Volatile {
    static volatile boolean go, done;
    static volatile int turn;
    static int plain;
    static class Box { final int a; int b; Box(int a) { this.a = a; b = a; } }
    static volatile Box box;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            while (!go) { }
            System.out.println("saw go, plain " + plain);
            done = true;
        });
        t.start();
        plain = 42;
        go = true;
        while (!done) Thread.onSpinWait();
        t.join();
        StringBuilder log = new StringBuilder();
        Thread[] ring = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int id = i;
            ring[i] = new Thread(() -> {
                for (int r = 0; r < 20; r++) {
                    while (turn != id) Thread.yield();
                    log.append(id);
                    turn = (id + 1) % 3;
                }
            });
            ring[i].start();
        }
        for (Thread x : ring) x.join();
        System.out.println(log);
        Thread reader = new Thread(() -> {
            Box b;
            while ((b = box) == null) { }
            System.out.println(b.a + b.b);
        });
        reader.start();
        box = new Box(21);
        reader.join();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong spins = new AtomicLong();
        Thread spinner = new Thread(() -> { while (!stop.get()) spins.incrementAndGet(); });
        spinner.start();
        while (spins.get() < 5) Thread.sleep(1);
        stop.set(true);
        spinner.join();
        System.out.println(spins.get() >= 5);
    }
}
