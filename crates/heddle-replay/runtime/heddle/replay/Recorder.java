package heddle.replay;

import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Steers by a {@link Chooser} and writes down what happened, as appendix C of jreplay does it: an event
 * and its actions wherever another thread goes on. The schedule can be followed in the VM and on a JVM.
 *
 * A program that is recorded tells all its visible operations and all its monitors, so that the turn
 * never goes to a thread that could not take it.
 */
final class Recorder implements Steering {
    /** Who holds a monitor, and how often it was entered. */
    private static final class Held {
        final Strand by;
        int count;

        Held(Strand by) {
            this.by = by;
        }
    }

    private final Chooser chooser;
    private final String file;
    private final StringBuilder commands = new StringBuilder();
    private final Map<Object, Held> monitors = new IdentityHashMap<Object, Held>();
    /** How often the running thread came to each place since the last event; valid if `epochs` says so. */
    private final long[] counts;

    private final long[] epochs;
    private long epoch = 1;
    private long events;
    /** Where the last event was, if the running thread has not moved since. */
    private Strand standing;

    private String[] finding;
    private boolean stuck;
    private boolean written;
    private final long seed;

    /** As the properties of this JVM ask for it. */
    static Recorder make(Places places) {
        long seed = Long.getLong("heddle.seed", 0);
        Chooser chooser = new Chooser.AtRandom(seed, Math.max(1, Integer.getInteger("heddle.switch", 4)));
        String file = System.getProperty("heddle.record", "heddle-recorded.sched");
        return new Recorder(chooser, seed, file, places.size());
    }

    private Recorder(Chooser chooser, long seed, String file, int places) {
        this.chooser = chooser;
        this.seed = seed;
        this.file = file;
        counts = new long[places];
        epochs = new long[places];
    }

    @Override
    public void came(Strand strand, int place) {
        if (strand != Engine.running) {
            return;
        }
        strand.stands = place;
        strand.in = false;
        standing = null;
        if (epochs[place] != epoch) {
            epochs[place] = epoch;
            counts[place] = 0;
        }
        counts[place]++;
        Strand next = chooser.choose(strand, options(strand, true));
        if (next != strand) {
            event(strand);
            turnTo(next, "switch");
            Engine.hand(strand);
        }
    }

    /** The running thread is about to take a monitor. */
    @Override
    public void enter(Strand strand, Object monitor) {
        Held held = monitors.get(monitor);
        if (held == null || held.by == strand) {
            own(strand, monitor, 1);
            return;
        }
        strand.wants = monitor;
        waitForTurn(strand);
        strand.wants = null;
        if (!Engine.free) {
            own(strand, monitor, 1);
        }
    }

    /** The running thread has given a monitor back once. */
    @Override
    public void exit(Strand strand, Object monitor) {
        Held held = monitors.get(monitor);
        if (held != null && held.by == strand && --held.count == 0) {
            monitors.remove(monitor);
        }
    }

    private void own(Strand strand, Object monitor, int count) {
        Held held = monitors.get(monitor);
        if (held == null) {
            held = new Held(strand);
            monitors.put(monitor, held);
        }
        held.count += count;
    }

    @Override
    public void blocked(Strand strand) {
        strand.in = true;
        Held held = strand.state == Strand.State.WAITING ? monitors.remove(strand.on) : null;
        waitForTurn(strand);
        strand.in = false;
        if (held != null && !Engine.free) {
            own(strand, strand.on, held.count);
        }
    }

    /** Gives the turn away and waits for it to come back. */
    private void waitForTurn(Strand strand) {
        event(strand);
        Strand[] options = options(strand, false);
        if (options.length != 0) {
            turnTo(chooser.choose(strand, options), "switch");
        } else {
            Strand first = first();
            if (first == null) {
                stuck("switch");
                return;
            }
            commands.append("timeout ").append(first.number).append('\n');
            first.wake = Strand.Wake.TIMED_OUT;
            Clock.pass(first.deadline);
            if (first != strand) {
                turnTo(first, "switch");
            } else {
                reset(strand);
            }
        }
        Engine.hand(strand);
    }

    @Override
    public Strand notified(Strand strand, Strand[] waiting) {
        Strand woken = waiting.length == 1 ? waiting[0] : chooser.choose(null, waiting);
        if (waiting.length > 1) {
            event(strand);
            commands.append("notify ").append(woken.number).append('\n');
            reset(strand);
            standing = strand;
        }
        return woken;
    }

    @Override
    public void ended(Strand strand) {
        boolean last = true;
        for (Strand other : Engine.strands()) {
            last &= other == strand || other.thread.isDaemon() || !alive(other);
        }
        if (last) {
            // The JVM ends now.
            return;
        }
        strand.in = false;
        strand.dying = true;
        event(strand);
        Strand[] options = options(strand, false);
        Strand next = options.length != 0 ? chooser.choose(strand, options) : first();
        if (next == null) {
            stuck("die");
            return;
        }
        if (options.length == 0) {
            commands.append("timeout ").append(next.number).append('\n');
            next.wake = Strand.Wake.TIMED_OUT;
            Clock.pass(next.deadline);
        }
        next.after = strand;
        turnTo(next, "die");
        Engine.hand(strand);
    }

    @Override
    public void stuckForReal(Strand strand) {
        Strand[] options = options(strand, false);
        if (options.length == 0) {
            return;
        }
        strand.in = true;
        Engine.astray(strand);
        event(strand);
        Strand next = chooser.choose(strand, options);
        turnTo(next, "switch");
        Engine.turns++;
        next.go();
    }

    private void stuck(String how) {
        commands.append(how).append(" none\n");
        stuck = true;
        finding("deadlock", "Deadlock: no thread can go on");
        Engine.release();
        Engine.running = null;
    }

    private static boolean alive(Strand strand) {
        return strand.thread.getState() != Thread.State.TERMINATED && !strand.dying;
    }

    /** Who can go on: threads by number. */
    private Strand[] options(Strand running, boolean itself) {
        List<Strand> options = new ArrayList<Strand>();
        for (Strand strand : Engine.strands()) {
            if (strand == running ? itself : alive(strand) && canGoOn(strand)) {
                options.add(strand);
            }
        }
        return options.toArray(new Strand[0]);
    }

    private boolean canGoOn(Strand strand) {
        if (strand.stray) {
            // It has woken up by itself once it is back.
            return strand.thread.getState() == Thread.State.RUNNABLE;
        }
        if (strand.wants != null) {
            return !monitors.containsKey(strand.wants);
        }
        switch (strand.state) {
            case WAITING:
                return strand.wake != Strand.Wake.NONE && !monitors.containsKey(strand.on);
            case JOINING:
                return strand.wake != Strand.Wake.NONE || !alive((Thread) strand.on);
            default:
                return strand.ready();
        }
    }

    private static boolean alive(Thread thread) {
        Strand strand = Engine.of(thread);
        return strand == null ? thread.isAlive() : alive(strand);
    }

    /** The thread whose timed wait ends first, or null. */
    private Strand first() {
        Strand first = null;
        for (Strand strand : Engine.strands()) {
            boolean waits = alive(strand) && strand.timed && strand.wake == Strand.Wake.NONE && !strand.ready();
            boolean free = strand.state != Strand.State.WAITING || !monitors.containsKey(strand.on);
            if (waits && free && (first == null || strand.deadline - first.deadline < 0)) {
                first = strand;
            }
        }
        return first;
    }

    // --- Writing ---

    /** Says where the running thread stands, unless it has not moved since that was said last. */
    private void event(Strand strand) {
        if (standing == strand) {
            return;
        }
        events++;
        Place place = Session.place(strand.stands);
        long count = 1;
        if (place != null && epochs[place.number] == epoch) {
            count = Math.max(1, counts[place.number]);
        }
        commands.append(strand.in ? "in " : "before ");
        if (place == null) {
            commands.append("java.lang.Thread run()V 0");
        } else {
            commands.append(Words.quoted(place.className())).append(' ').append(Words.quoted(place.method()));
            commands.append(' ').append(place.index);
            Session.mention(place);
        }
        commands.append(' ').append(count).append('\n');
    }

    private void turnTo(Strand next, String verb) {
        commands.append(verb).append(' ').append(next.number);
        commands.append(" # ").append(next.name().replace('\n', ' ')).append('\n');
        Engine.running = next;
        reset(next);
    }

    /** An event is over; the thread that runs now stands where it stands for the first time. */
    private void reset(Strand strand) {
        standing = null;
        epoch++;
        if (strand.stands >= 0) {
            epochs[strand.stands] = epoch;
            counts[strand.stands] = 1;
        }
    }

    @Override
    public void finding(String kind, String message) {
        if (finding == null) {
            finding = new String[] {kind, message};
        }
    }

    @Override
    public synchronized void close() {
        if (written) {
            return;
        }
        written = true;
        Strand running = Engine.running;
        if (running != null && !stuck) {
            running.in = false;
            event(running);
            commands.append("terminate\n");
        }
        StringBuilder text = new StringBuilder("heddle-schedule 1\n");
        text.append(Session.header());
        text.append("strategy ").append(chooser.name()).append('\n');
        text.append("seed ").append(seed).append('\n');
        if (finding != null) {
            text.append("finding ").append(finding[0]).append(' ').append(Words.quoted(finding[1])).append('\n');
        }
        for (Strand strand : Engine.strands()) {
            text.append("thread ").append(strand.number).append(' ').append(strand.path).append(' ');
            text.append(Words.quoted(strand.name())).append('\n');
        }
        text.append(Session.mentioned()).append('\n').append(commands);
        try {
            FileOutputStream out = new FileOutputStream(file);
            try {
                out.write(text.toString().getBytes("UTF-8"));
            } finally {
                out.close();
            }
        } catch (IOException e) {
            Verdict.say("cannot write " + file + ": " + e.getMessage());
        }
    }

    // --- What a follower would have to say ---

    @Override
    public boolean over() {
        return false;
    }

    @Override
    public boolean strict() {
        return false;
    }

    @Override
    public int stuckAt() {
        return stuck ? 1 : 0;
    }

    @Override
    public long done() {
        return events;
    }

    @Override
    public String expects() {
        return "recording: the program is under control";
    }
}
