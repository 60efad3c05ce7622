package heddle.replay;

/**
 * What instrumented code calls. Calls before bytecodes and at the beginning of threads are added;
 * calls of the methods below that the JDK has too take the place of those.
 */
public final class Replay {
    /**
     * The place that the schedule looks out for, with which instrumented code compares its own. This and
     * the next two are plain: only the thread that has the turn minds them, and handing the turn over
     * orders the rest.
     */
    public static int awaited = Place.NOWHERE;
    /** Whose turn it is. */
    static Thread runner;
    /** How often it still comes to the awaited place without anything to be done there. */
    static long left;
    /** Threads that blocked without telling. */
    static int strays;

    /** Whether the program writes its own schedule. */
    private static final boolean RECORDING;
    /** Whether threads run side by side and wait for messages. */
    private static final boolean MESSAGES;

    static {
        Session.open();
        RECORDING = Session.recording();
        MESSAGES = Session.messenger() != null;
    }

    private Replay() {}

    /** The thread is about to execute the bytecode at this place. */
    public static void at(int place) {
        if (RECORDING || MESSAGES) {
            came(place);
        } else if (place == awaited) {
            due(place);
        }
    }

    /**
     * The thread is about to execute the bytecode at the awaited place. All in one method, too long for the
     * JVM's first compiler to copy it to every place.
     */
    public static void due(int place) {
        if (Thread.currentThread() == runner && --left >= 0) {
            return;
        }
        Strand strand = Engine.controlled();
        if (strand != null) {
            Engine.steering.came(strand, place);
        }
    }

    /** The thread is about to take a monitor; the place is that of its `monitorenter`. */
    public static void enter(Object monitor, int place) {
        at(place);
        enter(monitor);
    }

    /** The same, where that matters only for what others see of the thread. */
    public static void entering(Object monitor, int place) {
        Strand strand = !MESSAGES && place == awaited ? Engine.controlled() : null;
        if (strand == null) {
            at(place);
            return;
        }
        strand.wants = monitor;
        at(place);
        strand.wants = null;
    }

    /** The thread is about to take the monitor of the method that it has called. */
    public static void enter(Object monitor) {
        Strand strand = Engine.controlled();
        if (strand != null && monitor != null) {
            Engine.steering.enter(strand, monitor);
        }
    }

    /** The thread has given a monitor back. */
    public static void exit(Object monitor) {
        Strand strand = Engine.modelled();
        if (strand != null) {
            Engine.steering.exit(strand, monitor);
        }
    }

    private static void came(int place) {
        Strand strand = MESSAGES ? Engine.current() : Engine.controlled();
        if (strand != null) {
            Engine.steering.came(strand, place);
        }
    }

    /** The thread has executed the bytecode at this place, which may have blocked. */
    public static void after(int place) {
        if (MESSAGES || place == awaited || strays != 0) {
            returned();
        }
    }

    private static void returned() {
        if (MESSAGES) {
            Strand strand = Engine.current();
            if (strand != null) {
                Session.messenger().returned(strand);
            }
            return;
        }
        Strand strand = Engine.controlled();
        if (strand != null) {
            strand.armed = false;
        }
    }

    /** The library of the JDK calls a synchronized method whose monitor the thread is about to take. */
    public static void entering(int place) {
        if ((RECORDING || place == awaited) && calledByLibrary()) {
            came(place);
        }
    }

    /** A synchronized method has given its monitor back; the place is one of its returns. */
    public static void left(int place) {
        if (awaited < 0 && !RECORDING) {
            return;
        }
        Strand strand = Engine.controlled();
        boolean here = strand != null
                && strand.stands >= 0
                && (RECORDING || strand.stands == awaited)
                && Session.sameMethod(place, strand.stands);
        if (here && calledByLibrary()) {
            came(strand.stands);
        }
    }

    /** Whether the method that called this class was called from trusted code. */
    private static boolean calledByLibrary() {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        int own = 0;
        while (own < stack.length && stack[own].getClassName().equals(Replay.class.getName())) {
            own++;
        }
        return own + 1 >= stack.length || !Session.isProgram(stack[own + 1].getClassName());
    }

    /** The bytecode at this place needs the class; it is come to again if that had to be initialized. */
    public static void initialize(Class<?> type, int place) {
        if (place < seen.length && !seen[place]) {
            initializeNow(type, place);
        }
    }

    private static void initializeNow(Class<?> type, int place) {
        seen[place] = true;
        Strand strand = Engine.controlled();
        if (strand == null) {
            return;
        }
        long before = strand.initialized;
        try {
            Class.forName(type.getName(), true, type.getClassLoader());
        } catch (ClassNotFoundException e) {
            return;
        }
        if (strand.initialized != before) {
            at(place);
        }
    }

    /** A class whose initialization counts is being initialized. */
    public static void initializing() {
        Strand strand = Engine.current();
        if (strand != null) {
            strand.initialized++;
        }
    }

    /** Places whose classes are known to be initialized. */
    private static final boolean[] seen = new boolean[Session.places()];

    // --- The accesses of a race: what is read or written at a place ---

    public static void accessed(int value, int place) {
        saw(place, String.valueOf(value));
    }

    public static void accessed(boolean value, int place) {
        saw(place, String.valueOf(value));
    }

    public static void accessed(char value, int place) {
        saw(place, "'" + value + "'");
    }

    public static void accessed(long value, int place) {
        saw(place, String.valueOf(value));
    }

    public static void accessed(float value, int place) {
        saw(place, String.valueOf(value));
    }

    public static void accessed(double value, int place) {
        saw(place, String.valueOf(value));
    }

    public static void accessed(Object value, int place) {
        saw(place, Accesses.text(value));
    }

    /** The thread calls something that reads or writes. */
    public static void called(int place) {
        saw(place, null);
    }

    private static void saw(int place, String text) {
        Strand strand = Engine.current();
        if (strand != null) {
            Session.accesses().saw(strand, place, text);
        }
    }

    /** The program begins: the arguments of its `main`. */
    public static void main(String[] arguments) {
        Session.main(arguments);
    }

    /** A thread begins to run the program's code. */
    public static void begin() {
        if (Engine.unbegun != 0) {
            Engine.begin();
        }
    }

    /** Before `Thread.start`. */
    public static void starting(Thread thread) {
        if (thread != null) {
            Engine.starting(thread);
        }
    }

    // --- java.lang.Object ---

    public static void wait(Object on) throws InterruptedException {
        waitFor(on, 0, 0);
    }

    public static void wait(Object on, long millis) throws InterruptedException {
        waitFor(on, millis, 0);
    }

    public static void wait(Object on, long millis, int nanos) throws InterruptedException {
        waitFor(on, millis, nanos);
    }

    private static void waitFor(Object on, long millis, int nanos) throws InterruptedException {
        Strand strand = Engine.waiter();
        // Whatever throws an exception throws the JDK's own.
        boolean wrong = on == null || millis < 0 || nanos < 0 || nanos > 999999 || !Thread.holdsLock(on);
        if (strand == null || wrong) {
            on.wait(millis, nanos);
            return;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean timed = millis != 0 || nanos != 0;
        long deadline = timed ? Clock.in(nanos(millis, nanos)) : 0;
        switch (Engine.block(strand, Strand.State.WAITING, on, timed, deadline)) {
            case INTERRUPTED:
                throw new InterruptedException();
            default:
                break;
        }
    }

    public static void notify(Object on) {
        Strand strand = Engine.free ? Engine.current() : Engine.modelled();
        if (strand == null || on == null || !Thread.holdsLock(on)) {
            on.notify();
            return;
        }
        Strand[] waiting = Engine.waiting(on);
        Strand[] leaving = Engine.free ? new Strand[0] : Engine.leaving(on);
        Strand reached = leaving.length == 0 ? null : Engine.steering.interrupted(strand, leaving);
        if (reached != null) {
            if (reached != strand) {
                reached.wake = Strand.Wake.NOTIFIED;
            }
            return;
        }
        if (waiting.length == 0) {
            // Somebody may wait whom the library does not know.
            on.notify();
            return;
        }
        Strand woken = Engine.free && !MESSAGES ? waiting[0] : Engine.steering.notified(strand, waiting);
        woken.wake = Strand.Wake.NOTIFIED;
        if (Engine.free) {
            on.notifyAll();
        }
    }

    public static void notifyAll(Object on) {
        Strand strand = Engine.free ? Engine.current() : Engine.modelled();
        boolean known = false;
        if (strand != null && on != null && Thread.holdsLock(on)) {
            Strand[] leaving = Engine.free ? new Strand[0] : Engine.leaving(on);
            Strand first = leaving.length == 0 ? null : Engine.steering.interrupted(strand, leaving);
            boolean there = false;
            for (Strand one : leaving) {
                there |= one == first;
                if (there) {
                    one.wake = Strand.Wake.NOTIFIED;
                }
            }
            for (Strand waiting : Engine.waiting(on)) {
                waiting.wake = Strand.Wake.NOTIFIED;
                known = true;
            }
        }
        // Under control nobody wakes up before it is its turn; others the library may not know.
        if (!known || Engine.free) {
            on.notifyAll();
        }
    }

    // --- java.lang.Thread ---

    public static void sleep(long millis) throws InterruptedException {
        sleep(millis, 0);
    }

    public static void sleep(long millis, int nanos) throws InterruptedException {
        Strand strand = Engine.controlled();
        if (strand == null || millis < 0 || nanos < 0 || nanos > 999999) {
            Hook.sleepForReal(millis, nanos);
            return;
        }
        sleepFor(strand, nanos(millis, nanos));
    }

    private static void sleepFor(Strand strand, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("sleep interrupted");
        }
        long deadline = Clock.in(nanos);
        switch (Engine.block(strand, Strand.State.SLEEPING, null, true, deadline)) {
            case INTERRUPTED:
                throw new InterruptedException("sleep interrupted");
            case FREE:
                Thread.sleep(left(deadline));
                break;
            default:
                break;
        }
    }

    public static void join(Thread thread) throws InterruptedException {
        join(thread, 0, 0);
    }

    public static void join(Thread thread, long millis) throws InterruptedException {
        join(thread, millis, 0);
    }

    public static void join(Thread thread, long millis, int nanos) throws InterruptedException {
        Strand strand = Engine.controlled();
        if (strand == null || thread == null || millis < 0 || nanos < 0 || nanos > 999999) {
            thread.join(millis, nanos);
            return;
        }
        boolean timed = millis != 0 || nanos != 0;
        long deadline = timed ? Clock.in(nanos(millis, nanos)) : 0;
        while (thread.isAlive()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            switch (Engine.block(strand, Strand.State.JOINING, thread, timed, deadline)) {
                case INTERRUPTED:
                    throw new InterruptedException();
                case TIMED_OUT:
                    return;
                case FREE:
                    thread.join(timed ? left(deadline) : 0);
                    return;
                default:
                    break;
            }
        }
    }

    public static void sleep(java.time.Duration time) throws InterruptedException {
        long nanos = nanos(time);
        if (nanos > 0) {
            sleep(nanos / 1000000, (int) (nanos % 1000000));
        }
    }

    public static boolean join(Thread thread, java.time.Duration time) throws InterruptedException {
        long nanos = nanos(time);
        if (thread.getState() == Thread.State.NEW) {
            throw new IllegalThreadStateException("Thread not started");
        }
        if (nanos > 0) {
            join(thread, nanos / 1000000, (int) (nanos % 1000000));
        }
        return thread.getState() == Thread.State.TERMINATED;
    }

    private static long nanos(java.time.Duration time) {
        try {
            return time.toNanos();
        } catch (ArithmeticException e) {
            return time.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    public static void setDefaultUncaughtExceptionHandler(Thread.UncaughtExceptionHandler handler) {
        Thread.setDefaultUncaughtExceptionHandler(new Verdict.Uncaught(handler));
    }

    public static void setUncaughtExceptionHandler(Thread thread, Thread.UncaughtExceptionHandler handler) {
        thread.setUncaughtExceptionHandler(handler == null ? null : new Verdict.Uncaught(handler));
    }

    public static void interrupt(Thread thread) {
        Engine.interrupt(thread);
    }

    public static boolean isInterrupted(Thread thread) {
        boolean flag = thread.isInterrupted();
        if (flag || Engine.free || thread == Thread.currentThread()) {
            return flag;
        }
        Strand strand = Engine.of(thread);
        return strand != null && strand.flagged && thread.isAlive();
    }

    /** What the program would see if nobody held threads back. */
    public static Thread.State getState(Thread thread) {
        Thread.State real = thread.getState();
        boolean lives = real != Thread.State.NEW && real != Thread.State.TERMINATED;
        boolean another = lives && thread != Thread.currentThread();
        Strand strand = another && Engine.controlled() != null ? Engine.of(thread) : null;
        return strand == null || strand.stray || overrides(thread) ? real : strand.shown();
    }

    /** Whether the class of a thread says what its state is. */
    private static boolean overrides(Thread thread) {
        try {
            return thread.getClass().getMethod("getState").getDeclaringClass() != Thread.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    // --- java.util.concurrent.locks.LockSupport ---

    public static void park() {
        park(null, false, 0);
    }

    public static void park(Object blocker) {
        park(blocker, false, 0);
    }

    public static void parkNanos(long nanos) {
        if (nanos > 0) {
            park(null, false, nanos);
        }
    }

    public static void parkNanos(Object blocker, long nanos) {
        if (nanos > 0) {
            park(blocker, false, nanos);
        }
    }

    public static void parkUntil(long millis) {
        park(null, true, millis);
    }

    public static void parkUntil(Object blocker, long millis) {
        park(blocker, true, millis);
    }

    /** As `Unsafe.park`: `time` is a moment in milliseconds if absolute, else nanoseconds or 0. */
    static void park(Object blocker, boolean absolute, long time) {
        Strand strand = Engine.controlled();
        if (strand == null) {
            Hook.parkForReal(blocker, absolute, time);
            if (MESSAGES && Engine.current() != null) {
                // Whoever parks does not hold what it waits for yet.
                Session.messenger().untilAddressed(Engine.current(), null);
            }
            return;
        }
        if (strand.permit) {
            strand.permit = false;
            return;
        }
        if (Thread.currentThread().isInterrupted() || time < 0 || absolute && time == 0) {
            return;
        }
        long nanos = time;
        if (absolute) {
            nanos = (time - Clock.currentTimeMillis()) * 1000000;
            if (nanos <= 0) {
                return;
            }
        }
        boolean timed = nanos != 0;
        long deadline = timed ? Clock.in(nanos) : 0;
        Strand.Wake wake;
        try {
            wake = Engine.block(strand, Strand.State.PARKED, blocker, timed, deadline);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        strand.permit = false;
        if (wake == Strand.Wake.FREE) {
            Hook.parkForReal(blocker, false, timed ? Math.max(1, deadline - Clock.nanoTime()) : 0);
        }
    }

    public static void unpark(Thread thread) {
        if (thread == null) {
            return;
        }
        if (Engine.free || Engine.of(thread) == null) {
            Hook.unparkForReal(thread);
        } else {
            Engine.unpark(thread);
        }
    }

    // --- java.util.concurrent.TimeUnit ---

    public static void sleep(java.util.concurrent.TimeUnit unit, long time) throws InterruptedException {
        Strand strand = Engine.controlled();
        if (strand == null || time <= 0) {
            unit.sleep(time);
        } else {
            sleepFor(strand, unit.toNanos(time));
        }
    }

    public static void timedJoin(java.util.concurrent.TimeUnit unit, Thread thread, long time)
            throws InterruptedException {
        if (time > 0) {
            join(thread, unit.toMillis(time), excess(unit, time));
        }
    }

    public static void timedWait(java.util.concurrent.TimeUnit unit, Object on, long time)
            throws InterruptedException {
        if (time > 0) {
            waitFor(on, unit.toMillis(time), excess(unit, time));
        }
    }

    // --- java.lang.System ---

    public static long nanoTime() {
        return Clock.nanoTime();
    }

    public static long currentTimeMillis() {
        return Clock.currentTimeMillis();
    }

    // --- Time ---

    private static long nanos(long millis, int nanos) {
        return millis > Long.MAX_VALUE / 2000000 ? Long.MAX_VALUE / 2 : millis * 1000000 + nanos;
    }

    private static int excess(java.util.concurrent.TimeUnit unit, long time) {
        return (int) (unit.toNanos(time) - java.util.concurrent.TimeUnit.MILLISECONDS.toNanos(unit.toMillis(time)));
    }

    /** Milliseconds until a moment, at least one. */
    private static long left(long deadline) {
        return Math.max(1, (deadline - Clock.nanoTime()) / 1000000);
    }
}
