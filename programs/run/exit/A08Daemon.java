/** A daemon thread does not keep the program alive; a plain one does. */
public class A08Daemon {
    public static void main(String[] args) {
        Thread daemon = new Thread(() -> {
            Object lock = new Object();
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
        });
        daemon.setDaemon(true);
        daemon.start();
        new Thread(() -> {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            System.out.println("last words");
        }).start();
    }
}
