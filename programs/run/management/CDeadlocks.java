import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** Finds deadlocks: of monitors, of locks, and of one of each. */
public class CDeadlocks {
    static final ThreadMXBean bean = ManagementFactory.getThreadMXBean();

    interface Taken {
        void then(Runnable inside);
    }

    static Taken monitor(Object on) {
        return inside -> {
            synchronized (on) {
                inside.run();
            }
        };
    }

    static Taken lock() {
        ReentrantLock lock = new ReentrantLock();
        return inside -> {
            lock.lock();
            inside.run();
            lock.unlock();
        };
    }

    public static void main(String[] args) throws InterruptedException {
        show("none");
        cross("monitors", monitor(new Object()), monitor("m"));
        show("monitors");
        cross("locks", lock(), lock());
        show("locks");
        cross("mixed", monitor(new int[0]), lock());
        show("mixed");
        Object last = new Object();
        Thread bystander = start("bystander", () -> monitor(last).then(() -> {
        }));
        bystander.join();
        show("after a bystander");
    }

    static void cross(String name, Taken left, Taken right) throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        Thread[] threads = {
            start(name + " 1", () -> left.then(() -> right(both, right))),
            start(name + " 2", () -> right.then(() -> right(both, left))),
        };
        for (Thread thread : threads) {
            while (both.getCount() > 0 || bean.getThreadInfo(thread.getId()).getLockOwnerId() < 0) {
                Thread.sleep(1);
            }
        }
    }

    static void right(CountDownLatch both, Taken next) {
        both.countDown();
        try {
            both.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        next.then(() -> System.out.println("never"));
    }

    static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void show(String when) {
        System.out.println(when + ": " + names(bean.findMonitorDeadlockedThreads()) + " "
                + names(bean.findDeadlockedThreads()));
    }

    static String names(long[] found) {
        if (found == null) {
            return "none";
        }
        ThreadInfo[] infos = bean.getThreadInfo(found);
        return Arrays.stream(infos)
                .map(i -> i.getThreadName() + " waits for " + i.getLockOwnerName())
                .sorted().toList().toString();
    }
}
