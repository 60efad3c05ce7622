package heddle.replay;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;

/**
 * What code of the JDK calls once {@link Agent} has redirected it. Until the program begins, and in
 * threads that are not the program's, everything is as it was.
 */
public final class Hook {
    /** Set when the program is under control. */
    static volatile boolean active;

    /** The JDK's `Unsafe.park` and `unpark`, bound; null without the agent. */
    private static MethodHandle park;

    private static MethodHandle unpark;

    private Hook() {}

    static boolean installed() {
        return park != null;
    }

    static void install() throws Exception {
        Class<?> type;
        try {
            type = Class.forName("jdk.internal.misc.Unsafe");
        } catch (ClassNotFoundException e) {
            type = Class.forName("sun.misc.Unsafe");
        }
        Object unsafe = type.getMethod("getUnsafe").invoke(null);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType parks = MethodType.methodType(void.class, boolean.class, long.class);
        MethodType unparks = MethodType.methodType(void.class, Object.class);
        unpark = lookup.findVirtual(type, "unpark", unparks).bindTo(unsafe);
        park = lookup.findVirtual(type, "park", parks).bindTo(unsafe);
        // The first call links it, which takes locks of the JDK: it must not be one that waits for them.
        unparkForReal(Thread.currentThread());
        parkForReal(false, 1);
        Clock.nanoTime();
    }

    static void parkForReal(Object blocker, boolean absolute, long time) {
        if (installed()) {
            parkForReal(absolute, time);
        } else if (absolute) {
            LockSupport.parkUntil(blocker, time);
        } else if (time == 0) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, time);
        }
    }

    private static void parkForReal(boolean absolute, long time) {
        try {
            park.invokeExact(absolute, time);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static void unparkForReal(Thread thread) {
        if (!installed()) {
            LockSupport.unpark(thread);
            return;
        }
        try {
            unpark.invokeExact((Object) thread);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    public static void park(Object unsafe, boolean absolute, long time) {
        if (active) {
            Replay.park(LockSupport.getBlocker(Thread.currentThread()), absolute, time);
        } else {
            parkForReal(absolute, time);
        }
    }

    public static void unpark(Object unsafe, Object thread) {
        if (active) {
            Replay.unpark((Thread) thread);
        } else {
            unparkForReal((Thread) thread);
        }
    }

    public static void wait(Object on) throws InterruptedException {
        wait(on, 0, 0);
    }

    public static void wait(Object on, long millis) throws InterruptedException {
        wait(on, millis, 0);
    }

    public static void wait(Object on, long millis, int nanos) throws InterruptedException {
        if (active) {
            Replay.wait(on, millis, nanos);
        } else {
            on.wait(millis, nanos);
        }
    }

    public static void notify(Object on) {
        if (active) {
            Replay.notify(on);
        } else {
            on.notify();
        }
    }

    public static void notifyAll(Object on) {
        if (active) {
            Replay.notifyAll(on);
        } else {
            on.notifyAll();
        }
    }

    public static void sleep(long millis) throws InterruptedException {
        sleep(millis, 0);
    }

    public static void sleep(long millis, int nanos) throws InterruptedException {
        if (active) {
            Replay.sleep(millis, nanos);
        } else {
            sleepForReal(millis, nanos);
        }
    }

    /** Not by the method with nanoseconds, which may call the other one, and that is redirected to here. */
    static void sleepForReal(long millis, int nanos) throws InterruptedException {
        if (nanos < 0 || nanos > 999999) {
            Thread.sleep(millis, nanos);
        }
        Thread.sleep(nanos > 0 && millis >= 0 && millis < Long.MAX_VALUE ? millis + 1 : millis);
    }

    public static void interrupt(Thread thread) {
        if (active) {
            Replay.interrupt(thread);
        } else {
            thread.interrupt();
        }
    }

    public static boolean isInterrupted(Thread thread) {
        return active ? Replay.isInterrupted(thread) : thread.isInterrupted();
    }

    public static long nanoTime() {
        return Clock.nanoTime();
    }

    public static long currentTimeMillis() {
        return Clock.currentTimeMillis();
    }

    /** The first thing in `Thread.start`. */
    public static void starting(Thread thread) {
        if (active) {
            Engine.starting(thread);
        }
    }

    /** The first thing in `run` of the JDK's threads. */
    public static void begin(Thread thread) {
        if (active && Engine.unbegun != 0) {
            Engine.begin();
        }
    }

    /** The first thing in `Shutdown.halt`: all hooks are done. */
    public static void halting(int code) {
        if (active) {
            Verdict.atExit();
        }
    }

    /** The first thing in `Shutdown.shutdown`: the last thread of the program is gone. */
    public static void shuttingDown() {
        if (active) {
            if (Engine.isBequeathed()) {
                // Hooks of the program are part of the schedule.
                Runtime.getRuntime().addShutdownHook(new Verdict.AtExit());
            } else {
                Verdict.atExit();
            }
        }
    }

    /** The first thing in `Thread.exit`, which the JVM calls when a thread is done. */
    public static void exiting(Thread thread) {
        if (active) {
            Engine.ended();
        }
    }
}
