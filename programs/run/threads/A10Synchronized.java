/** synchronized methods, static and not; reentrancy; release on exceptions; counting under contention. */
public class A10Synchronized {
    int n;
    static int s;
    synchronized void inc() { n++; }
    synchronized void incTwice() { inc(); inc(); }
    static synchronized void incStatic() { s++; }
    synchronized void fail() { n++; throw new IllegalStateException(); }
    synchronized int deep(int d) { return d == 0 ? n : deep(d - 1); }

    public static void main(String[] args) throws Exception {
        A10Synchronized o = new A10Synchronized();
        Thread[] all = new Thread[6];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> {
                for (int j = 0; j < 500; j++) {
                    o.incTwice();
                    incStatic();
                    try { o.fail(); } catch (IllegalStateException e) { }
                    synchronized (o) { o.n--; }
                    if (j % 50 == 0) Thread.yield();
                }
            });
            all[i].start();
        }
        for (Thread t : all) t.join();
        System.out.println(o.n + " " + s + " " + o.deep(100));
        System.out.println(Thread.holdsLock(o));
    }
}
