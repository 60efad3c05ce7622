package heddle.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One thread at a time. The engine knows the threads, models what they wait for, and hands the turn
 * from one to the next; {@link Steering} says who is next. There is no thread of its own behind it:
 * everything happens in calls of the program's threads.
 */
final class Engine {
    /** Everything that several threads may look at at once: threads that start, the watchdog. */
    private static final Object LOCK = new Object();

    private static final Map<Thread, Strand> STRANDS = new IdentityHashMap<Thread, Strand>();
    /** All threads, in the order of their numbers. */
    private static final List<Strand> ORDER = new ArrayList<Strand>();

    /** Those that a schedule names, by number; a new array whenever there is another one. */
    private static volatile Strand[] numbered = {};

    private static final ThreadLocal<Strand> CURRENT = new ThreadLocal<Strand>();

    /** Whose part the thread plays that shuts the JVM down. */
    private static Strand bequeathed;

    static Steering steering;
    /** Whose turn it is; null when nobody's. */
    static volatile Strand running;
    /** The schedule is over: everybody runs, and waits for real. */
    static volatile boolean free;
    /** Threads that were started and have not begun. */
    static volatile int unbegun;
    /** Counts turns, for the watchdog. */
    static volatile long turns;

    private static long arrivals;

    private Engine() {}

    // --- Threads ---

    /** The initial thread: the one that runs when the library is first called. */
    static Strand initial() {
        Strand strand = register(Thread.currentThread(), 0, "/");
        strand.state = Strand.State.READY;
        CURRENT.set(strand);
        running = strand;
        return strand;
    }

    /**
     * The initial thread has ended. In the VM it starts shutdown hooks and waits for them when all others are
     * gone; here the JVM does that in a thread of its own.
     */
    static void bequeath(Strand strand) {
        synchronized (LOCK) {
            strand.dying = false;
            bequeathed = strand;
        }
    }

    static boolean isBequeathed() {
        synchronized (LOCK) {
            return bequeathed != null;
        }
    }

    /** Whether threads of the program are left, other than the one that shuts the JVM down. */
    static boolean anybodyLeft() {
        for (Strand strand : strands()) {
            if (strand != bequeathed && strand.thread.isAlive()) {
                return true;
            }
        }
        return false;
    }

    /** The running thread, if it is one of the program's. */
    static Strand current() {
        Strand strand = CURRENT.get();
        if (strand == null) {
            Thread thread = Thread.currentThread();
            synchronized (LOCK) {
                strand = STRANDS.get(thread);
                if (strand == null && bequeathed != null && thread.getName().equals("DestroyJavaVM")) {
                    strand = bequeathed;
                    strand.thread = thread;
                    STRANDS.put(thread, strand);
                }
            }
            if (strand != null) {
                CURRENT.set(strand);
            }
        }
        return strand;
    }

    /** The running thread if it is one of the program's, else null. It has the turn, or all are free. */
    static Strand waiter() {
        return free ? current() : controlled();
    }

    /** The running thread if it is under control, else null: wait for real. */
    static Strand controlled() {
        Strand strand = modelled();
        return strand == null || strand.dying ? null : strand;
    }

    /** The running thread if what it does to others is modelled: it may be doing its last bytecode. */
    static Strand modelled() {
        if (free) {
            return null;
        }
        Strand strand = current();
        if (strand != null && strand.stray) {
            back(strand);
        }
        return strand;
    }

    static Strand of(Thread thread) {
        synchronized (LOCK) {
            return STRANDS.get(thread);
        }
    }

    static Strand number(int number) {
        Strand[] all = numbered;
        return number >= 0 && number < all.length ? all[number] : null;
    }

    static Strand[] strands() {
        synchronized (LOCK) {
            return ORDER.toArray(new Strand[0]);
        }
    }

    private static Strand register(Thread thread, int number, String path) {
        Strand strand = new Strand(thread, number, path);
        synchronized (LOCK) {
            STRANDS.put(thread, strand);
            ORDER.add(strand);
            if (number >= 0) {
                Strand[] all = Arrays.copyOf(numbered, Math.max(numbered.length, number + 1));
                all[number] = strand;
                numbered = all;
            }
        }
        return strand;
    }

    /** A thread is about to be started by the running one. */
    static void starting(Thread thread) {
        Strand parent = Session.messenger() == null ? modelled() : current();
        if (parent == null || thread.getState() != Thread.State.NEW || isOfTheSystem(thread)) {
            return;
        }
        synchronized (LOCK) {
            if (STRANDS.containsKey(thread)) {
                return;
            }
            String path = (parent.path.equals("/") ? "" : parent.path) + "/" + parent.children++;
            register(thread, Session.number(path, ORDER.size()), path);
            unbegun++;
        }
    }

    /** The library's own threads and those of the JDK that have no part in a schedule. */
    private static boolean isOfTheSystem(Thread thread) {
        String type = thread.getClass().getName();
        return type.startsWith("heddle.replay.")
                || thread.isDaemon()
                        && (type.startsWith("java.lang.ref.") || type.equals("jdk.internal.misc.InnocuousThread"));
    }

    /** The first thing that a thread does: it waits for its turn. */
    static void begin() {
        Strand strand = current();
        if (strand == null || strand.state != Strand.State.NEW) {
            return;
        }
        synchronized (LOCK) {
            unbegun--;
        }
        if (free) {
            strand.untilAlone();
        } else {
            strand.await();
        }
        strand.state = Strand.State.READY;
        if (Session.messenger() != null) {
            Session.messenger().begin(strand);
        }
    }

    /** An exception ends the running thread. */
    static void unwound() {
        Strand strand = controlled();
        if (strand != null && strand == running) {
            steering.unwound(strand);
        }
    }

    /** The last thing that a thread does, where the library is told. */
    static void ended() {
        Strand strand = controlled();
        if (strand != null && strand == running) {
            steering.ended(strand);
        }
    }

    // --- Turns ---

    /** Whoever has the turn by now gets to know; `from` waits for its next one. */
    static void hand(Strand from) {
        Strand to = running;
        if (to == from) {
            from.untilAlone();
            return;
        }
        turns++;
        if (to != null) {
            to.go();
        }
        if (from.dying) {
            from.untilAlone();
        } else if (!free) {
            from.await();
        }
    }

    /** A thread that blocked without telling is back, and waits for its turn like all others. */
    static void back(Strand strand) {
        synchronized (LOCK) {
            strand.stray = false;
            Replay.strays--;
        }
        strand.state = Strand.State.READY;
        if (!free) {
            strand.await();
        }
    }

    static void astray(Strand strand) {
        synchronized (LOCK) {
            strand.stray = true;
            Replay.strays++;
        }
    }

    // --- Waiting ---

    /** The running thread waits. Returns how that ended; {@link Strand.Wake#FREE}: wait for real. */
    static Strand.Wake block(Strand strand, Strand.State state, Object on, boolean timed, long deadline)
            throws InterruptedException {
        strand.state = state;
        strand.on = on;
        // The end of a thread notifies; one that has ended before does not.
        strand.awaitsEnd = on instanceof Thread && ((Thread) on).isAlive();
        strand.timed = timed;
        strand.deadline = deadline;
        strand.arrival = ++arrivals;
        strand.wake = Strand.Wake.NONE;
        if (!free) {
            steering.blocked(strand);
        }
        if (free && state == Strand.State.WAITING) {
            try {
                if (!strand.waitFreely()) {
                    strand.wake = Strand.Wake.TIMED_OUT;
                }
            } finally {
                strand.state = Strand.State.READY;
                if (Session.messenger() != null) {
                    Session.messenger().untilAddressed(strand, on);
                }
            }
        }
        Strand.Wake wake = strand.wake;
        if (free && wake == Strand.Wake.NONE) {
            wake = Strand.Wake.FREE;
        } else if (wake == Strand.Wake.NONE && timed) {
            // Nobody has said why it goes on, so its time was over.
            wake = Strand.Wake.TIMED_OUT;
        }
        if (wake == Strand.Wake.TIMED_OUT) {
            Clock.pass(deadline);
        }
        strand.state = Strand.State.READY;
        strand.on = null;
        strand.timed = false;
        strand.wake = Strand.Wake.NONE;
        return wake;
    }

    /** The threads in `wait` on an object that nobody has woken, the first one first. */
    static Strand[] waiting(Object on) {
        return waiting(on, Strand.Wake.NONE);
    }

    /**
     * The threads that were interrupted in `wait` on an object and have not come out of it, in the order in
     * which they were interrupted: a notification may still reach them (JLS 17.2.4).
     */
    static Strand[] leaving(Object on) {
        return waiting(on, Strand.Wake.INTERRUPTED);
    }

    private static Strand[] waiting(Object on, Strand.Wake wake) {
        List<Strand> found = new ArrayList<Strand>();
        synchronized (LOCK) {
            for (Strand strand : ORDER) {
                if (strand.state == Strand.State.WAITING && strand.on == on && strand.wake == wake) {
                    found.add(strand);
                }
            }
        }
        java.util.Collections.sort(found, Arrival.ORDER);
        return found.toArray(new Strand[0]);
    }

    static void interrupt(Thread thread) {
        Strand target = free ? null : of(thread);
        if (target != null && target.thread != Thread.currentThread()) {
            target.flagged = true;
            boolean waits = target.state != Strand.State.READY && target.state != Strand.State.NEW;
            if (waits && target.wake == Strand.Wake.NONE) {
                target.wake = Strand.Wake.INTERRUPTED;
                target.arrival = ++arrivals;
            }
        }
        thread.interrupt();
    }

    static void unpark(Thread thread) {
        Strand target = of(thread);
        if (target == null) {
            return;
        }
        target.permit = true;
        if (target.state == Strand.State.PARKED && target.wake == Strand.Wake.NONE) {
            target.wake = Strand.Wake.UNPARKED;
        }
    }

    // --- The end ---

    /** The schedule is over: from here on the JVM's own scheduler decides. */
    static void release() {
        Replay.awaited = Place.NOWHERE;
        free = true;
        for (Strand strand : strands()) {
            if (strand == running && strand.thread == Thread.currentThread()) {
                continue;
            }
            if (strand.permit) {
                Hook.unparkForReal(strand.thread);
            }
            strand.go();
        }
    }

    /** Waiting threads by the order in which they began to wait. */
    private static final class Arrival implements java.util.Comparator<Strand> {
        static final Arrival ORDER = new Arrival();

        @Override
        public int compare(Strand a, Strand b) {
            return Long.compare(a.arrival, b.arrival);
        }
    }
}
