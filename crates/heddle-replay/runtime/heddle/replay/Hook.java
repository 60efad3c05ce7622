package heddle.replay;

import java.util.concurrent.locks.LockSupport;

/** What code of the JDK calls once {@link Agent} has redirected it. */
public final class Hook {
    private Hook() {}

    static void parkForReal(Object blocker, boolean absolute, long time) {
        if (absolute) {
            LockSupport.parkUntil(blocker, time);
        } else if (time == 0) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, time);
        }
    }

    static void unparkForReal(Thread thread) {
        LockSupport.unpark(thread);
    }
}
