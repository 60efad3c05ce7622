package heddle.replay;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the library has to say: to people on the error stream, and to heddle in the file that the
 * property {@code heddle.report} names, one record a line (the Rust side reads it in `outcome.rs`).
 */
final class Verdict {
    /** Exit codes, those of heddle: an error was shown; the question could not be answered. */
    static final int ERROR = 1;
    static final int UNABLE = 3;

    private static final String REPORT = System.getProperty("heddle.report");
    /** When to end the program: once the "finding" was seen, or the "schedule" done. */
    private static final String UNTIL = System.getProperty("heddle.until", "");

    private static final StringBuilder RECORDS = new StringBuilder();
    private static boolean told;

    private Verdict() {}

    /** Not through `System.err`: a thread that does not run may hold its lock. */
    static void say(String text) {
        try {
            new FileOutputStream(FileDescriptor.err).write(("heddle: " + text + "\n").getBytes("UTF-8"));
        } catch (IOException e) {
            // Nobody listens.
        }
    }

    static synchronized void record(String key, Object... words) {
        RECORDS.append(key);
        for (Object word : words) {
            RECORDS.append(' ').append(Words.quoted(String.valueOf(word)));
        }
        RECORDS.append('\n');
    }

    private static void write() {
        if (REPORT == null) {
            return;
        }
        try {
            FileOutputStream out = new FileOutputStream(REPORT);
            try {
                out.write(RECORDS.toString().getBytes("UTF-8"));
            } finally {
                out.close();
            }
        } catch (IOException e) {
            say("cannot write " + REPORT + ": " + e.getMessage());
        }
    }

    /** Ends the JVM here and now, after what the program printed. */
    static void stop(int code) {
        // What is done from here on is the library's own business.
        Hook.active = false;
        synchronized (Verdict.class) {
            if (told) {
                return;
            }
            told = true;
            if (Engine.steering != null) {
                Engine.steering.close();
            }
            write();
        }
        // A thread that does not run may hold the lock of a stream.
        Thread flush = new Thread("heddle-flush") {
            @Override
            public void run() {
                System.out.flush();
                System.err.flush();
            }
        };
        flush.setDaemon(true);
        flush.start();
        try {
            flush.join(300);
        } catch (InterruptedException e) {
            // Ends anyway.
        }
        Runtime.getRuntime().halt(code);
    }

    /** The schedule's finding was seen, if that is all that was asked for. */
    static void seen() {
        if (UNTIL.equals("finding") && Session.finding() != null) {
            record("done", Engine.steering.done());
            stop(ERROR);
        }
    }

    /** The schedule is done, if that is all that was asked for. */
    static void followed() {
        String[] finding = Session.finding();
        if (finding != null && finding[0].equals("invariant") && Invariant.isBroken(finding[1])) {
            seen();
        }
        if (UNTIL.equals("schedule")) {
            record("done", Engine.steering.done());
            stop(ERROR);
        }
    }

    /** What is known before anything happens. */
    static void open() {
        record("jvm", System.getProperty("java.vm.name"), System.getProperty("java.version"));
    }

    static void unable(String message) {
        say(message);
        record("unable", message);
        stop(UNABLE);
    }

    /** The program left the schedule: what was expected, what happened, and why that may be. */
    static void diverged(Steering steering, Strand strand, String found) {
        Hook.active = false;
        String expected = steering.expects();
        String where = strand == null ? "" : " at " + innermost(strand.thread);
        StringBuilder text = new StringBuilder("the program leaves the schedule\n");
        text.append("  ").append(expected == null ? "after the end of the schedule" : expected).append('\n');
        text.append("  but ").append(found).append(where).append('\n');
        text.append("  likely reasons: other class files than those the schedule was made with, other input,\n"
                + "  the time, random numbers, or a JDK whose library waits elsewhere");
        say(text.toString());
        record("diverged", Engine.steering == null ? 0 : Engine.steering.line(), found + where, expected);
        dump();
        stop(UNABLE);
    }

    /** Threads go round and round in a loop of the schedule, if that is what it was written for. */
    static void goesRound(int line) {
        if (UNTIL.equals("finding")) {
            stuck("the threads go round and round (line " + line + ")");
        }
    }

    /** Nobody can go on. */
    static void stuck(String why) {
        Hook.active = false;
        say(why);
        record("stuck", Engine.steering == null ? 0 : Engine.steering.stuckAt());
        dump();
        stop(ERROR);
    }

    // --- Threads, for people ---

    static String waitText(Strand strand) {
        String on = strand.on == null ? "" : " (" + name(strand.on) + ")";
        switch (strand.state) {
            case WAITING:
                return "wait" + on;
            case JOINING:
                return "join (" + ((Thread) strand.on).getName() + ")";
            case SLEEPING:
                return "sleep";
            case PARKED:
                return "park" + on;
            default:
                return "something";
        }
    }

    static String name(Object object) {
        return object.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(object));
    }

    /** The frame of the program in which a thread is. */
    static String innermost(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (Session.isProgram(frame.getClassName())) {
                return frame.toString();
            }
        }
        return "code outside the program";
    }

    /** Each thread's stack, and what it waits for. */
    static void dump() {
        for (Strand strand : Engine.strands()) {
            Thread thread = strand.thread;
            if (!thread.isAlive()) {
                continue;
            }
            Locks.Seen seen = Locks.of(thread);
            String state = state(strand, seen);
            StringBuilder text = new StringBuilder("  " + thread.getName() + " " + state);
            Place left = Session.place(strand.stands);
            record(
                    "thread",
                    thread.getName(),
                    state,
                    left == null || left.source() == null ? "-" : left.source(),
                    seen.owner == null ? "-" : seen.owner);
            for (String held : seen.holds) {
                text.append("\n      holds ").append(held);
                record("holds", held);
            }
            for (StackTraceElement found : stack(thread)) {
                StackTraceElement frame = located(found, left);
                text.append("\n      at ").append(text(frame));
                String own = Session.isProgram(frame.getClassName()) ? "own" : "-";
                record("frame", frame.getClassName(), frame.getMethodName(), source(frame), own);
            }
            sayPlain(text.append('\n').toString());
        }
    }

    /** Calls of the library have no line of their own: they are at that of the place they tell of. */
    private static StackTraceElement located(StackTraceElement frame, Place at) {
        boolean lost = frame.getLineNumber() == -1 && at != null && at.source() != null;
        boolean same = lost
                && frame.getClassName().equals(at.className())
                && at.method().startsWith(frame.getMethodName() + "(");
        if (!same) {
            return frame;
        }
        int colon = at.source().lastIndexOf(':');
        return new StackTraceElement(
                frame.getClassName(),
                frame.getMethodName(),
                at.source().substring(0, colon),
                Integer.parseInt(at.source().substring(colon + 1)));
    }

    /** A frame as Java 8 prints it: without modules and loaders. */
    private static String text(StackTraceElement frame) {
        String file = frame.isNativeMethod()
                ? "Native Method"
                : frame.getFileName() == null ? "Unknown Source" : source(frame);
        return frame.getClassName() + "." + frame.getMethodName() + "(" + file + ")";
    }

    private static String state(Strand strand, Locks.Seen seen) {
        if (strand.state != Strand.State.READY && strand.state != Strand.State.NEW) {
            return "is in " + waitText(strand);
        }
        if (seen.wants != null) {
            boolean enters = strand.thread.getState() == Thread.State.BLOCKED || seen.owner != null;
            return (enters ? "wants " : "waits for ") + seen.wants
                    + (seen.owner == null ? "" : ", which " + seen.owner + " holds");
        }
        if (Watchdog.onlyLooksRunning(strand.thread)) {
            return "waits for a class that another thread initializes";
        }
        if (strand == Engine.running) {
            return "runs";
        }
        if (Engine.free) {
            boolean runs = strand.thread.getState() == Thread.State.RUNNABLE;
            return runs ? "runs" : "is " + strand.thread.getState();
        }
        return strand.state == Strand.State.NEW ? "has not begun" : "could go on";
    }

    private static List<StackTraceElement> stack(Thread thread) {
        List<StackTraceElement> frames = new ArrayList<StackTraceElement>();
        boolean inside = true;
        for (StackTraceElement frame : thread.getStackTrace()) {
            boolean ours = frame.getClassName().startsWith("heddle.replay.");
            // How the library itself waits.
            boolean gate = inside
                    && (frame.getClassName().equals("java.lang.Object")
                            || frame.getClassName().equals("java.lang.Class")
                            || frame.getClassName().startsWith("java.lang.invoke.LambdaForm"));
            inside &= ours || gate || frame.getClassName().endsWith(".Unsafe");
            if (!ours && !gate) {
                frames.add(frame);
            }
        }
        return frames;
    }

    static String source(StackTraceElement frame) {
        return frame.getFileName() == null ? "-" : frame.getFileName() + ":" + frame.getLineNumber();
    }

    private static void sayPlain(String text) {
        try {
            new FileOutputStream(FileDescriptor.err).write(text.getBytes("UTF-8"));
        } catch (IOException e) {
            // Nobody listens.
        }
    }

    // --- Exceptions that nobody catches ---

    static void watchExceptions() {
        Thread.setDefaultUncaughtExceptionHandler(new Uncaught(Thread.getDefaultUncaughtExceptionHandler()));
    }

    /** Notes an exception down; gives kind and sentence, as those of a schedule's finding, or null. */
    private static String[] uncaught(Thread thread, Throwable thrown) {
        String at = "-";
        String where = "code outside the program";
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (Session.isProgram(frame.getClassName())) {
                at = source(frame);
                String type = frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
                int inner = type.lastIndexOf('$');
                boolean named = inner >= 0 && Character.isLetter(type.charAt(inner + 1));
                where = (named ? type.substring(inner + 1) : type) + "." + frame.getMethodName() + " (" + at + ")";
                break;
            }
        }
        String text = thrown.getLocalizedMessage();
        boolean assertion = thrown instanceof AssertionError;
        record("uncaught", thread.getName(), thrown.getClass().getName(), text == null ? "" : text, at, assertion);
        String what = thrown.getClass().getName() + (text == null ? "" : ": " + text);
        if (assertion) {
            String plain = what.replaceFirst("^java\\.lang\\.AssertionError(: )?", "");
            String gap = plain.isEmpty() ? "" : ": ";
            return new String[] {
                "assertion", "Assertion fails in " + thread.getName() + " at " + where + gap + plain
            };
        }
        if (thrown instanceof ThreadDeath) {
            return null;
        }
        return new String[] {"exception", thread.getName() + " ends by an exception at " + where + ": " + what};
    }

    /** Whether an exception is the one that the schedule leads to: others may come before it. */
    private static boolean isMeant(String[] seen) {
        String[] finding = Session.finding();
        String who = seen[1].substring(0, seen[1].indexOf(" at ") + 1);
        return finding != null && finding[0].equals(seen[0]) && finding[1].startsWith(who);
    }

    /** Notes an exception down and does what the JVM would have done. */
    static final class Uncaught implements Thread.UncaughtExceptionHandler {
        private final Thread.UncaughtExceptionHandler then;

        Uncaught(Thread.UncaughtExceptionHandler then) {
            this.then = then;
        }

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            String[] seen = note(thread, thrown);
            try {
                if (then != null) {
                    then.uncaughtException(thread, thrown);
                } else if (!(thrown instanceof ThreadDeath)) {
                    System.err.print("Exception in thread \"" + thread.getName() + "\" ");
                    thrown.printStackTrace(System.err);
                }
            } catch (Throwable another) {
                // The JVM takes what a handler throws, and only says so.
                endIfMeant(note(thread, another));
                endIfMeant(seen);
                throw another;
            }
            endIfMeant(seen);
        }

        private static String[] note(Thread thread, Throwable thrown) {
            Engine.unwound();
            String[] seen = uncaught(thread, thrown);
            if (seen != null) {
                Engine.steering.finding(seen[0], seen[1]);
            }
            return seen;
        }

        private static void endIfMeant(String[] seen) {
            if (seen != null && isMeant(seen) && Engine.steering.over()) {
                seen();
            }
        }
    }

    /** A circle of daemons does not keep the JVM from its end, and may close while it comes. */
    private static void seeCircle() {
        String[] finding = Session.finding();
        boolean meant = finding != null && finding[0].equals("lock-cycle") && Engine.steering.over();
        for (int left = CLOSING; meant && left > 0; left--) {
            if (Locks.circle()) {
                stuck("no thread can go on (at the end of the program)");
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Milliseconds in which it closes. */
    private static final int CLOSING = 100;

    /** The program ends by itself: was the schedule done? */
    static void atExit() {
        seeCircle();
        Steering steering = Engine.steering;
        synchronized (Verdict.class) {
            if (told) {
                return;
            }
            if (steering.over() || !steering.strict()) {
                told = true;
                steering.close();
                record("done", steering.done());
                write();
                return;
            }
        }
        diverged(steering, null, "the program ends");
    }

    /** Where the JDK does not call the library at the end. */
    static final class AtExit extends Thread {
        AtExit() {
            super("heddle-exit");
        }

        @Override
        public void run() {
            // Hooks are started in any order, this one among them.
            for (int quiet = 0; Engine.isBequeathed() && quiet < QUIET; quiet++) {
                if (Engine.anybodyLeft()) {
                    quiet = 0;
                }
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    break;
                }
            }
            atExit();
        }

        /** Milliseconds without a hook after which no other one is expected. */
        private static final int QUIET = 100;
    }
}
