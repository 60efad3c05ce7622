/** A thread that is stopped while it is blocked before a monitor ends when it has it. */
public class D03StopBlocked {
    static final Object lock = new Object();
    static int entered;

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws InterruptedException {
        for (boolean method : new boolean[] {false, true}) {
            Thread visitor = new Thread(method ? D03StopBlocked::call : D03StopBlocked::enter);
            synchronized (lock) {
                synchronized (D03StopBlocked.class) {
                    visitor.start();
                    while (visitor.getState() != Thread.State.BLOCKED) {
                        Thread.onSpinWait();
                    }
                    visitor.stop();
                    Thread.sleep(50);
                    System.out.println(visitor.getState() + " " + visitor.isAlive());
                }
            }
            visitor.join();
            System.out.println(visitor.getState() + " " + entered);
        }
    }

    static void enter() {
        try {
            synchronized (lock) {
                spin();
                entered++;
            }
        } catch (ThreadDeath e) {
            System.out.println("stopped, holds it: " + Thread.holdsLock(lock));
        }
    }

    static void call() {
        try {
            locked();
        } catch (ThreadDeath e) {
            System.out.println("stopped, holds it: " + Thread.holdsLock(D03StopBlocked.class));
        }
    }

    static synchronized void locked() {
        spin();
        entered++;
    }

    /** A JVM may go on for a moment before it throws. */
    static void spin() {
        for (int i = 0; i < 1_000_000; i++) {
            Thread.onSpinWait();
        }
    }
}
