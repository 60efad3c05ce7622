/** Thread states at points where they are certain. */
public class A05States {
    static void await(Thread t, Thread.State s) {
        while (t.getState() != s) Thread.yield();
        System.out.println(t.getName() + " " + s);
    }

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread waiting = new Thread(() -> { synchronized (lock) { try { lock.wait(); } catch (InterruptedException e) { System.out.println("woken by interrupt"); } } }, "waiting");
        System.out.println(waiting.getState() + " " + waiting.isAlive());
        waiting.start();
        await(waiting, Thread.State.WAITING);
        Thread blocked = new Thread(() -> { synchronized (lock) { System.out.println("got the lock"); } }, "blocked");
        synchronized (lock) {
            blocked.start();
            await(blocked, Thread.State.BLOCKED);
        }
        blocked.join();
        Thread timed = new Thread(() -> { try { Thread.sleep(100_000_000); } catch (InterruptedException e) { System.out.println(e.getMessage()); } }, "timed");
        timed.start();
        await(timed, Thread.State.TIMED_WAITING);
        timed.interrupt();
        timed.join();
        Thread parked = new Thread(java.util.concurrent.locks.LockSupport::park, "parked");
        parked.start();
        await(parked, Thread.State.WAITING);
        java.util.concurrent.locks.LockSupport.unpark(parked);
        parked.join();
        waiting.interrupt();
        waiting.join();
        System.out.println(waiting.getState() + " " + Thread.currentThread().getState());
    }
}
