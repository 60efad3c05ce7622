package heddle.replay;

/**
 * A thread as the library sees it: where it stands, what it waits for, and the gate at which it waits
 * for its turn. Fields are written by the thread that has the turn and read by the next one; handing
 * the turn over orders the two.
 */
final class Strand {
    /** The states of appendix A of jreplay, and `park`. */
    enum State {
        /** Started, and has done nothing yet. */
        NEW,
        /** Runs, or stands before a bytecode until it is its turn. */
        READY,
        /** In `Object.wait`. */
        WAITING,
        JOINING,
        SLEEPING,
        PARKED
    }

    /** How a wait ended. */
    enum Wake {
        /** It has not. */
        NONE,
        NOTIFIED,
        TIMED_OUT,
        INTERRUPTED,
        UNPARKED,
        SPURIOUS,
        /** The schedule is over: wait for real. */
        FREE
    }

    /** Turns taken without sleeping first: a hand-over between two processors takes about a microsecond. */
    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 2000 : 0;

    /** Another one once the initial thread has ended. */
    volatile Thread thread;
    final int number;
    /** Who started it, as schedules write it: "/0/1". */
    final String path;
    /** Threads that it started. */
    int children;

    State state = State.NEW;
    Wake wake = Wake.NONE;
    /** What it waits on, joins, or gave as the reason for parking. */
    Object on;
    /** Whether that is a thread whose end is still to come. */
    boolean awaitsEnd;
    /** The monitor that it is about to take; only known when recording, or if the program looks at states. */
    Object wants;
    /** When its timed wait ends ({@link Clock#nanoTime}); meaningful if `timed`. */
    long deadline;
    boolean timed;
    /** When it began to wait, among all waits. */
    long arrival;
    /** The token of `unpark`. */
    boolean permit;
    /** Classes that it has begun to initialize, as far as they tell. */
    long initialized;
    /** An interrupt came while it was at its gate. */
    volatile boolean flagged;

    /** The place where it stands or that it is in; {@link Place#OUTSIDE} before it came to any. */
    int stands = Place.OUTSIDE;
    /** Which bytecode of those with the number of that place it is. */
    int index;
    /** Whether it is blocked in that place. */
    boolean in;
    /** The schedule says that it will be blocked in the bytecode it is about to execute. */
    boolean armed;
    /** It runs its last bytecode. */
    boolean dying;
    /** Whose end it has to wait for when it is its turn. */
    Strand after;
    /** It waits for a message, and looks for it now and then. */
    volatile boolean polls;
    /** It blocked inside the library without a hook, so it wakes up by itself. */
    boolean stray;

    /** Whether it is this thread's turn. */
    private volatile boolean turn;
    /** It gives the monitor of its `wait` up until its turn comes. */
    private volatile boolean inWait;
    /** Whoever gave it the turn is done with that. */
    private volatile boolean given;
    /** It waits for its turn, or has yet to notice that it has come. */
    private volatile boolean awaits;
    private final Object gate = new Object();

    Strand(Thread thread, int number, String path) {
        this.thread = thread;
        this.number = number;
        this.path = path;
    }

    /**
     * Gives it the turn. Never waits: a monitor of the program's may be held by a thread that stands
     * still, so one in `wait` is interrupted, not notified.
     */
    void go() {
        // A spinning thread sees the field; the rest is for one that sleeps.
        turn = true;
        if (state == State.WAITING) {
            if (inWait) {
                thread.interrupt();
            }
            given = true;
            return;
        }
        synchronized (gate) {
            gate.notifyAll();
        }
    }

    /** Waits until it is its turn, then takes it. Called by the thread itself. */
    void await() {
        awaits = true;
        boolean interrupted = state == State.WAITING ? sleepIn(on) : sleepAtGate();
        awaits = false;
        turn = false;
        untilAlone();
        interrupted |= Thread.interrupted();
        flagged = false;
        // A wait that was interrupted throws; otherwise the flag stays up.
        boolean thrown = wake == Wake.INTERRUPTED && state != State.PARKED;
        if (interrupted && !thrown) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Goes on waiting when nobody is under control any more: until it is notified, its time is over
     * (false), or it is interrupted. The library's own notifications do not count.
     */
    boolean waitFreely() throws InterruptedException {
        Object monitor = on;
        while (wake == Wake.NONE && !(awaitsEnd && !((Thread) monitor).isAlive())) {
            long millis = timed ? (deadline - Clock.nanoTime() + 999999) / 1000000 : 0;
            if (timed && millis <= 0) {
                return false;
            }
            monitor.wait(millis);
        }
        return true;
    }

    /** Waits for the end of the thread whose end was to come first. */
    void untilAlone() {
        Strand predecessor = after;
        if (predecessor != null) {
            after = null;
            untilDead(predecessor.thread);
        }
    }

    private boolean sleepAtGate() {
        if (comesSoon()) {
            return false;
        }
        boolean interrupted = false;
        synchronized (gate) {
            while (!turn) {
                try {
                    gate.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        return interrupted;
    }

    /** A method of its own, which the JVM compiles in no time. */
    private boolean comesSoon() {
        for (int i = 0; i < SPINS; i++) {
            if (turn) {
                return true;
            }
        }
        return false;
    }

    /**
     * The monitor of the object is given up for the time, as the program's `wait` does it, and for the
     * end of a predecessor, which may need it.
     */
    private boolean sleepIn(Object monitor) {
        boolean interrupted = false;
        inWait = true;
        while (!turn || after != null && after.thread.isAlive()) {
            try {
                monitor.wait(turn ? 1 : 0);
            } catch (InterruptedException e) {
                interrupted |= !turn;
            }
        }
        // The interrupt that brought the turn must not come later and be taken for the program's.
        while (!given) {
            Thread.yield();
        }
        given = false;
        inWait = false;
        Thread.interrupted();
        return interrupted || flagged;
    }

    /** Not `join`: that would need the monitor of the thread, which somebody may hold. */
    private static void untilDead(Thread thread) {
        for (int i = 0; thread.isAlive(); i++) {
            if (i < 100) {
                Thread.yield();
                continue;
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                // Kept by `await`'s look at the flag.
                Thread.currentThread().interrupt();
                Thread.yield();
            }
        }
    }

    /** Whether it has the turn and does not know yet: no processor has been free. */
    boolean isLate() {
        return turn && awaits;
    }

    /** Whether its wait is over, or it never waited. */
    boolean ready() {
        return wake != Wake.NONE || state == State.READY || state == State.NEW;
    }

    /** Its state as the program is to see it: that of its last bytecode, not that it waits for its turn. */
    Thread.State shown() {
        boolean over = state == State.JOINING && !((Thread) on).isAlive();
        if (!ready() && !over) {
            return timed ? Thread.State.TIMED_WAITING : Thread.State.WAITING;
        }
        // One in `wait` that was woken needs its monitor back.
        Object monitor = state == State.WAITING ? on : wants;
        return monitor != null && Locks.isHeld(monitor) ? Thread.State.BLOCKED : Thread.State.RUNNABLE;
    }

    String name() {
        return thread.getName();
    }
}
