import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Numbers, states, stacks and locks of threads. */
public class BThreads {
    static final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    static final Object first = new Object();
    static final String second = "second";
    static final ReentrantLock lock = new ReentrantLock();
    static final CountDownLatch holds = new CountDownLatch(1);
    static final CountDownLatch end = new CountDownLatch(1);

    static synchronized void hold() throws InterruptedException {
        synchronized (first) {
            synchronized (second) {
                lock.lock();
                holds.countDown();
                end.await();
                lock.unlock();
            }
        }
    }

    static void sync() {
        synchronized (first) {
            System.out.println("through");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int count = bean.getThreadCount();
        int daemons = bean.getDaemonThreadCount();
        long started = bean.getTotalStartedThreadCount();
        System.out.println(count >= 1 && daemons < count && started >= count);
        System.out.println(bean.getPeakThreadCount() >= count);
        System.out.println(contains(bean.getAllThreadIds(), Thread.currentThread().getId()));

        Thread holder = new Thread(() -> {
            try {
                hold();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "holder");
        System.out.println(bean.getThreadInfo(holder.getId()));
        holder.start();
        holds.await();
        Thread blocked = new Thread(BThreads::sync, "blocked");
        blocked.start();
        Thread locks = new Thread(() -> {
            lock.lock();
            lock.unlock();
        }, "locks");
        locks.setDaemon(true);
        locks.start();
        Thread parked = new Thread(() -> LockSupport.park("a reason"), "parked");
        parked.start();
        Thread sleeps = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                System.out.println("woken");
            }
        }, "sleeps");
        sleeps.start();
        Thread[] all = {holder, blocked, locks, parked, sleeps};
        Thread.State[] wanted = {Thread.State.WAITING, Thread.State.BLOCKED, Thread.State.WAITING,
                Thread.State.WAITING, Thread.State.TIMED_WAITING};
        for (int i = 0; i < all.length; i++) {
            while (all[i].getState() != wanted[i]) {
                Thread.sleep(1);
            }
        }
        for (Thread thread : all) {
            show(bean.getThreadInfo(thread.getId()));
        }
        System.out.println(bean.getThreadInfo(blocked.getId()).getBlockedCount());
        System.out.println(bean.getThreadCount() - count);
        System.out.println(bean.getDaemonThreadCount() - daemons);
        System.out.println(bean.getTotalStartedThreadCount() - started);
        System.out.println(bean.getPeakThreadCount() >= count + all.length);

        ThreadInfo shallow = bean.getThreadInfo(blocked.getId(), 1);
        System.out.println(shallow.getStackTrace().length + " "
                + shallow.getStackTrace()[0].getMethodName());
        ThreadInfo deep = bean.getThreadInfo(sleeps.getId(), Integer.MAX_VALUE);
        System.out.println(deep.getStackTrace()[0]);
        for (ThreadInfo info : bean.dumpAllThreads(true, true)) {
            if (info.getThreadName().equals("holder") || info.getThreadName().equals("blocked")) {
                show(info);
                for (MonitorInfo monitor : info.getLockedMonitors()) {
                    System.out.println("  has " + monitor.getClassName() + " at "
                            + monitor.getLockedStackFrame());
                }
                for (LockInfo own : info.getLockedSynchronizers()) {
                    System.out.println("  has " + own.getClassName());
                }
            }
        }
        System.out.println(bean.findDeadlockedThreads() == null);
        System.out.println(bean.isThreadCpuTimeSupported() && bean.isThreadCpuTimeEnabled());
        System.out.println(bean.isCurrentThreadCpuTimeSupported());
        System.out.println(bean.getCurrentThreadCpuTime() >= 0);
        System.out.println(bean.getCurrentThreadUserTime() >= 0);
        System.out.println(bean.getThreadCpuTime(holder.getId()) >= 0);
        System.out.println(bean.isObjectMonitorUsageSupported());
        System.out.println(bean.isSynchronizerUsageSupported());
        var more = (com.sun.management.ThreadMXBean) bean;
        long allocated = more.getThreadAllocatedBytes(Thread.currentThread().getId());
        byte[] some = new byte[1 << 20];
        System.out.println(more.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocated
                >= some.length);

        end.countDown();
        blocked.join();
        LockSupport.unpark(parked);
        sleeps.interrupt();
        for (Thread thread : all) {
            thread.join();
        }
        System.out.println(bean.getThreadInfo(holder.getId()));
        System.out.println(bean.getThreadCpuTime(holder.getId()));
        System.out.println(bean.getThreadCount() - count);
        bean.resetPeakThreadCount();
        System.out.println(bean.getPeakThreadCount() < count + all.length);
        try {
            bean.getThreadInfo(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }

    static boolean contains(long[] all, long wanted) {
        return Arrays.stream(all).anyMatch(one -> one == wanted);
    }

    static void show(ThreadInfo info) {
        LockInfo on = info.getLockInfo();
        System.out.println(info.getThreadName() + " " + info.getThreadState() + " "
                + (on == null ? null : on.getClassName()) + " " + info.getLockOwnerName()
                + " " + info.isDaemon() + " " + info.isSuspended()
                + " " + info.isInNative() + " " + info.getPriority()
                + " " + (info.getWaitedCount() > 0) + " " + info.getBlockedTime());
    }
}
