/** Threads that are stopped, before, while and after they run, and suspended. */
@SuppressWarnings("removal")
public class D02Stop {
    static volatile boolean running;

    static void waitUntilRunning() {
        while (!running) {
            Thread.yield();
        }
        running = false;
    }

    static Thread start(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        Thread early = new Thread(() -> System.out.println("never"), "early") {
            @Override
            public void run() {
                System.out.println("never either");
            }
        };
        early.stop();
        System.out.println(early.getState());
        early.start();
        early.join();
        System.out.println(early.getState() + " " + early.isAlive());
        try {
            early.start();
        } catch (IllegalThreadStateException e) {
            System.out.println(e);
        }
        early.stop();

        Thread spinning = start("spinning", () -> {
            try {
                running = true;
                while (true) {
                    Thread.onSpinWait();
                }
            } catch (ThreadDeath d) {
                System.out.println("spinning dies of " + d);
                throw d;
            } finally {
                System.out.println("finally");
            }
        });
        waitUntilRunning();
        spinning.stop();
        spinning.join();

        Object lock = new Object();
        Thread holding = start("holding", () -> {
            synchronized (lock) {
                running = true;
                try {
                    Thread.sleep(1_000_000);
                } catch (InterruptedException e) {
                    System.out.println("not this");
                }
            }
        });
        waitUntilRunning();
        holding.stop();
        holding.join();
        synchronized (lock) {
            System.out.println("the lock is free");
        }

        Thread waiting = start("waiting", () -> {
            synchronized (lock) {
                try {
                    running = true;
                    lock.wait();
                } catch (InterruptedException e) {
                    System.out.println("not this");
                } catch (ThreadDeath d) {
                    System.out.println("waiting holds it: " + Thread.holdsLock(lock));
                }
            }
        });
        waitUntilRunning();
        synchronized (lock) {
            waiting.stop();
        }
        waiting.join();

        try {
            Thread.currentThread().stop();
        } catch (ThreadDeath d) {
            System.out.println("main: " + d);
        }

        Thread suspended = start("suspended", () -> {
            running = true;
            while (!Thread.interrupted()) {
                Thread.yield();
            }
            System.out.println("resumed");
        });
        waitUntilRunning();
        suspended.suspend();
        suspended.interrupt();
        Thread.sleep(50);
        System.out.println(suspended.isAlive());
        suspended.resume();
        suspended.join();
        throw new ThreadDeath();
    }
}
