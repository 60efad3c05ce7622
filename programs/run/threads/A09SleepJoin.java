/** sleep, timed join, timed wait: elapsed time is at least what was asked for. */
public class A09SleepJoin {
    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        Thread.sleep(30);
        Thread.sleep(1, 500_000);
        Thread.sleep(0);
        System.out.println(System.nanoTime() - start >= 30_000_000L);
        Thread forever = new Thread(() -> { try { Thread.sleep(Long.MAX_VALUE); } catch (InterruptedException e) { System.out.println("stopped"); } });
        forever.start();
        long before = System.currentTimeMillis();
        forever.join(25);
        System.out.println(forever.isAlive() + " " + (System.currentTimeMillis() - before >= 24));
        Object lock = new Object();
        start = System.nanoTime();
        synchronized (lock) {
            lock.wait(20);
            lock.wait(5, 5);
        }
        System.out.println(System.nanoTime() - start >= 20_000_000L);
        forever.interrupt();
        forever.join();
        forever.join(5);
        forever.join(0, 0);
        java.util.concurrent.TimeUnit.MILLISECONDS.sleep(5);
        java.util.concurrent.TimeUnit.SECONDS.timedJoin(forever, 1);
        Thread.onSpinWait();
        System.out.println("end");
    }
}
