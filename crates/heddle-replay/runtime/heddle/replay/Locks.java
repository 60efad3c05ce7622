package heddle.replay;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * What the JVM knows about the locks of threads. A JVM without the module java.management, or with one
 * that does not work, knows nothing.
 */
final class Locks {
    private Locks() {}

    static final class Seen {
        final List<String> holds = new ArrayList<String>();
        String wants;
        String owner;
    }

    static Seen of(Thread thread) {
        try {
            return ask(thread.getId());
        } catch (Error e) {
            return new Seen();
        }
    }

    private static Seen ask(long id) {
        Seen seen = new Seen();
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        ThreadInfo[] infos = bean.getThreadInfo(
                new long[] {id}, bean.isObjectMonitorUsageSupported(), bean.isSynchronizerUsageSupported());
        if (infos.length == 0 || infos[0] == null) {
            return seen;
        }
        ThreadInfo info = infos[0];
        for (MonitorInfo held : info.getLockedMonitors()) {
            seen.holds.add(held.toString());
        }
        for (LockInfo held : info.getLockedSynchronizers()) {
            seen.holds.add(held.toString());
        }
        boolean gate = info.getLockInfo() != null && info.getLockInfo().getClassName().equals("java.lang.Object");
        StackTraceElement[] stack = info.getStackTrace();
        boolean library = false;
        for (int i = 0; i < Math.min(3, stack.length); i++) {
            library |= stack[i].getClassName().startsWith("heddle.replay.");
        }
        if (info.getLockInfo() != null && !(gate && library)) {
            seen.wants = info.getLockInfo().toString();
            seen.owner = info.getLockOwnerName();
        }
        return seen;
    }

    /** Whether a thread holds a monitor. */
    static boolean isHeld(Object monitor) {
        if (Thread.holdsLock(monitor)) {
            return true;
        }
        int hash = System.identityHashCode(monitor);
        String type = monitor.getClass().getName();
        try {
            for (ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(true, false)) {
                for (MonitorInfo held : info.getLockedMonitors()) {
                    if (held.getIdentityHashCode() == hash && held.getClassName().equals(type)) {
                        return true;
                    }
                }
            }
        } catch (Error e) {
            // Nobody can tell.
        }
        return false;
    }

    /** Processor time of a thread so far, or -1. */
    static long time(Thread thread) {
        try {
            ThreadMXBean bean = ManagementFactory.getThreadMXBean();
            return bean.isThreadCpuTimeSupported() ? bean.getThreadCpuTime(thread.getId()) : -1;
        } catch (Error e) {
            return -1;
        }
    }

    /** Whether the JVM itself sees threads that wait for each other in a circle. */
    static boolean circle() {
        try {
            ThreadMXBean bean = ManagementFactory.getThreadMXBean();
            long[] ids = bean.isSynchronizerUsageSupported()
                    ? bean.findDeadlockedThreads()
                    : bean.findMonitorDeadlockedThreads();
            return ids != null;
        } catch (Error e) {
            return false;
        }
    }
}
