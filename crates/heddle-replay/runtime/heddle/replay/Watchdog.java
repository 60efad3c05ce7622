package heddle.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks on, so that nothing hangs for ever. It decides nothing about the schedule, with one exception:
 * a thread that blocks where the library has no hook (in a monitor of the JDK, in a class that another
 * thread initializes) cannot tell, so the watchdog tells for it.
 */
final class Watchdog extends Thread {
    private static final long TICK = 20;
    /** Ticks that a thread may run before it is asked how much: the answer costs the JVM a lot of classes. */
    private static final int UNSUSPECTED = 15;
    /** Ticks without any processor time that make a thread one that waits. */
    private static final int IDLE_TICKS = 15;
    /** Ticks that a thread must look blocked before that is believed. */
    private static final int SURE = 3;
    /** The same if nobody is known to hold what it waits for. */
    private static final int SURE_OF_WAITS = 10;
    /** Nanoseconds of a tick from which on the machine is so busy that threads may only look blocked. */
    private static final long LATE = 2 * TICK * 1000000;
    /** How many such ticks are worth one. */
    private static final int LATE_TICKS = 5;
    /** Ticks that threads must be in the same methods to be said to spin. */
    private static final int SPIN_TICKS = 100;
    /** Ticks that it may be blocked where the schedule has it running. */
    private static final long PATIENCE = Math.max(1, Long.getLong("heddle.patience", 10) * 1000 / TICK);
    /** Ticks between two looks whether whoever started this JVM is still there. */
    private static final int PARENT_TICKS = 25;
    /** Whether whoever started this JVM waits for its end. */
    private static final boolean AWAITED = Boolean.getBoolean("heddle.awaited");
    /** Ticks that it may run without coming to anything; 0 with a debugger, where people are slow. */
    private static final long LONG_PATIENCE = Long.getLong("heddle.run.patience", 120) * 1000 / TICK;

    private Watchdog() {
        super("heddle-watchdog");
        setDaemon(true);
        setPriority(MAX_PRIORITY);
    }

    static void begin() {
        new Watchdog().start();
    }

    @Override
    public void run() {
        while (true) {
            long before = System.nanoTime();
            try {
                Thread.sleep(TICK);
            } catch (InterruptedException e) {
                continue;
            }
            if (AWAITED && ++ticks % PARENT_TICKS == 0 && parent() != parent) {
                // It was killed: nobody will read the report, or end this JVM.
                Runtime.getRuntime().halt(Verdict.UNABLE);
            }
            // A tick that came late proves little about others, who may have had no processor either.
            int tick = System.nanoTime() - before < LATE || ++late % LATE_TICKS == 0 ? 1 : 0;
            if (Engine.free) {
                blocked = allBlocked() ? blocked + tick : 0;
                afterwards(tick);
            } else {
                look(tick);
            }
        }
    }

    private int ticks;
    /** Who started this JVM: Heddle, or a script that did it for Heddle. */
    private final long parent = AWAITED ? parent() : 0;

    /** Who started this process, or has taken it over because that one is gone. */
    private static long parent() {
        try {
            byte[] bytes = java.nio.file.Files.readAllBytes(java.nio.file.Paths.get("/proc/self/stat"));
            String text = new String(bytes, "ISO-8859-1");
            // Number, name in brackets, state, number of the parent.
            return Long.parseLong(text.substring(text.lastIndexOf(')') + 1).trim().split(" ")[1]);
        } catch (IOException e) {
            // Not on this system.
        }
        try {
            // By reflection: Java 8 has no ProcessHandle.
            Class<?> handle = Class.forName("java.lang.ProcessHandle");
            Object parent = handle.getMethod("parent").invoke(handle.getMethod("current").invoke(null));
            Object found = parent.getClass().getMethod("orElse", Object.class).invoke(parent, new Object[] {null});
            return found == null ? -1 : (Long) handle.getMethod("pid").invoke(found);
        } catch (ReflectiveOperationException e) {
            return 0;
        }
    }

    /** The count of turns when it last looked, and ticks since that has changed. */
    private long turns = -1;

    private long late;
    private long still;
    /** Ticks since the running thread, or everybody once the schedule is over, is blocked. */
    private long blocked;

    private void look(int tick) {
        if (Engine.turns != turns) {
            turns = Engine.turns;
            still = 0;
            blocked = 0;
            IDLE.clear();
            return;
        }
        still++;
        Strand running = Engine.running;
        if (running == null) {
            return;
        }
        Thread.State state = running.thread.getState();
        if (state == Thread.State.TERMINATED) {
            ended(running);
            return;
        }
        blocked = waits(running.thread, state, still > UNSUSPECTED) ? blocked + tick : 0;
        if (blocked >= SURE && isSure(running, state)) {
            if (Engine.steering.over()) {
                // Nothing is said about what comes now; whoever can goes on.
                Engine.release();
                return;
            }
            Engine.steering.stuckForReal(running);
        }
        if (blocked > PATIENCE) {
            Locks.Seen seen = Locks.of(running.thread);
            String lock = seen.wants == null ? "" : " for " + seen.wants;
            String owner = seen.owner == null ? "" : ", which " + seen.owner + " holds,";
            Verdict.diverged(Engine.steering, running, running.name() + " is blocked" + lock + owner);
        }
        if (LONG_PATIENCE > 0 && still > LONG_PATIENCE && !Session.debugged()) {
            Verdict.diverged(Engine.steering, running, running.name() + " runs on and on");
        }
    }

    /** Whether a thread that looks blocked is, and not only waiting for a processor. */
    private boolean isSure(Strand strand, Thread.State state) {
        if (state == Thread.State.BLOCKED && Locks.of(strand.thread).owner != null) {
            return true;
        }
        return !strand.isLate() && blocked >= SURE_OF_WAITS;
    }

    /** Processor time of threads when they were last looked at, and since how many ticks it is that. */
    private static final Map<Thread, long[]> IDLE =
            Collections.synchronizedMap(new IdentityHashMap<Thread, long[]>());

    /**
     * Whether a thread waits. One that waits for the initialization of a class looks as if it ran, but
     * takes no time; one that waits for input does so in native code.
     */
    private static boolean waits(Thread thread, Thread.State state, boolean closely) {
        if (state == Thread.State.BLOCKED || state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING) {
            return true;
        }
        if (state != Thread.State.RUNNABLE || !closely) {
            return false;
        }
        long time = Locks.time(thread);
        long[] last = IDLE.get(thread);
        if (time < 0 || last == null || last[0] != time) {
            IDLE.put(thread, new long[] {time, 0});
            return false;
        }
        if (++last[1] < IDLE_TICKS) {
            return false;
        }
        StackTraceElement[] stack = thread.getStackTrace();
        if (stack.length == 0) {
            return false;
        }
        boolean inProgram = !stack[0].isNativeMethod() && Session.isProgram(stack[0].getClassName());
        return inProgram || initializes(stack);
    }

    /** Whether a thread that looks as if it ran was found to wait. */
    static boolean onlyLooksRunning(Thread thread) {
        long[] idle = IDLE.get(thread);
        return idle != null && idle[1] >= IDLE_TICKS && thread.getState() == Thread.State.RUNNABLE;
    }

    /** Whether a thread is in {@link Replay#initialize}, and in the JVM itself there. */
    private static boolean initializes(StackTraceElement[] stack) {
        int outside = 0;
        while (outside < stack.length && stack[outside].getClassName().equals("java.lang.Class")) {
            outside++;
        }
        return outside > 0
                && outside < stack.length
                && stack[0].isNativeMethod()
                && stack[outside].getClassName().equals(Replay.class.getName());
    }

    /** The thread whose turn it is has ended without a word about that in the schedule. */
    private static void ended(Strand strand) {
        if (strand == Engine.running && !Engine.free) {
            Engine.steering.ended(strand);
        }
    }

    private static boolean allBlocked() {
        boolean any = false;
        for (Strand strand : Engine.strands()) {
            Thread.State state = strand.thread.getState();
            if (state == Thread.State.TERMINATED) {
                continue;
            }
            boolean runs = state == Thread.State.TIMED_WAITING || !waits(strand.thread, state, true);
            if (strand.isLate() || runs && !strand.polls) {
                return false;
            }
            any |= !strand.thread.isDaemon();
        }
        return any;
    }

    /** The schedule is over. */
    private void afterwards(int tick) {
        int line = Engine.steering.stuckAt();
        if (blocked > 25 && Session.messenger() != null && !Engine.steering.over()) {
            Verdict.diverged(Engine.steering, null, "all threads wait");
        }
        if (blocked >= SURE && (line != 0 || Locks.circle() || blocked > 25)) {
            String where = line == 0 ? "after the schedule" : "line " + line;
            Verdict.stuck("no thread can go on (" + where + ")");
        }
        if (line != 0 && blocked == 0) {
            since = stay() ? since + tick : 0;
            waited += tick;
            if (since > SPIN_TICKS) {
                Verdict.stuck("no thread can go on (line " + line + "); those that run do so in a loop");
            }
            if (waited > PATIENCE) {
                Verdict.diverged(Engine.steering, null, "not all threads are blocked (line " + line + ")");
            }
        } else if (line == 0 && blocked == 0 && ++waited % 10 == 0 && Locks.circle()) {
            Verdict.stuck("threads wait for each other in a circle (after the schedule)");
        }
    }

    /**
     * Whether no thread has left the methods of the program in which it is since it was first asked:
     * a loop may call others, which it comes back from.
     */
    private boolean stay() {
        boolean all = true;
        for (Strand strand : Engine.strands()) {
            List<String> now = new ArrayList<>();
            for (StackTraceElement frame : strand.thread.getStackTrace()) {
                if (Session.isProgram(frame.getClassName())) {
                    now.add(0, frame.getClassName() + "." + frame.getMethodName());
                }
            }
            List<String> kept = stays.getOrDefault(strand, now);
            int common = 0;
            while (common < Math.min(now.size(), kept.size()) && now.get(common).equals(kept.get(common))) {
                common++;
            }
            all &= common == kept.size() && stays.containsKey(strand);
            stays.put(strand, now.subList(0, common));
        }
        return all;
    }

    private final Map<Strand, List<String>> stays = new IdentityHashMap<>();
    private long since;
    private long waited;
}
