package heddle.replay;

import java.util.ArrayDeque;

/** Steers by a schedule: the running thread runs until the present step's moment, then it is done. */
final class Follower implements Steering {
    private final Schedule schedule;
    private Step step;
    /**
     * How often the running thread came to the awaited place since the last event, as far as it had to
     * tell; {@link #seen} knows the rest.
     */
    private long told;
    /** How often it may come there after that without telling. */
    private long untold;
    /** Steps done. */
    private long done;
    /** Whom the notifications that the running thread is about to make wake. */
    private final ArrayDeque<Strand> targets = new ArrayDeque<Strand>();
    /** The threads that the actions being done let end, one after the other. */
    private final ArrayDeque<Strand> leaving = new ArrayDeque<Strand>();
    /** The line of a `switch none` or `die none` that was reached: all threads are blocked. */
    private volatile int stuckAt;

    Follower(Schedule schedule) {
        this.schedule = schedule;
        this.step = schedule.next();
    }

    /** Before the program begins: actions without an event above them are done at once. */
    void begin(Strand initial) {
        if (step != null && step.until == null) {
            perform(initial);
        } else {
            await();
        }
        Engine.hand(initial);
    }

    @Override
    public void came(Strand strand, int place) {
        if (strand != Engine.running || step == null) {
            return;
        }
        strand.stands = place;
        strand.in = false;
        if (place == step.until.number) {
            told = seen() + 1;
            tellAgain();
        }
        due(strand);
    }

    /** How often the running thread came to the awaited place since the last event. */
    private long seen() {
        return told + untold - Math.max(0, Replay.left);
    }

    /** The thread stands at its place: it need not tell again before it comes there for the last time. */
    private void tellAgain() {
        untold = told == 0 || step == null ? 0 : Math.max(0, step.count - told - 1);
        Replay.left = untold;
    }

    /** The running thread stands at its place: whatever is due now is done, until it may move on. */
    private void due(Strand strand) {
        while (step != null && step.until.number == strand.stands && seen() >= step.count) {
            if (step.in) {
                strand.armed = true;
                return;
            }
            perform(strand);
            Engine.hand(strand);
            if (strand.dying || Engine.free) {
                return;
            }
        }
    }

    @Override
    public void blocked(Strand strand) {
        if (step == null) {
            // Nothing is said about what comes now; whoever can goes on.
            Engine.release();
            return;
        }
        if (!expectsIn(strand)) {
            if (!strand.timed && strand.wake == Strand.Wake.NONE) {
                Verdict.diverged(this, strand, strand.name() + " is blocked in " + Verdict.waitText(strand));
            }
            return;
        }
        standIn(strand);
        perform(strand);
        Engine.hand(strand);
    }

    private boolean expectsIn(Strand strand) {
        if (!step.in) {
            return false;
        }
        if (step.until.number == Place.OUTSIDE) {
            return true;
        }
        if (step.until.number != strand.stands) {
            return false;
        }
        if (seen() >= step.count && (strand.armed || strand.in)) {
            return true;
        }
        // It may have left a synchronized method by an exception that the library has caught: see `unwound`.
        return seen() + 1 >= step.count && hasLeft(strand, step.until);
    }

    /** Whether a thread is done with the method of the place it came to last: it is in trusted code. */
    private static boolean hasLeft(Strand strand, Place place) {
        String name = place.method().substring(0, place.method().indexOf('('));
        for (StackTraceElement frame : strand.thread.getStackTrace()) {
            if (frame.getClassName().equals(place.className()) && frame.getMethodName().equals(name)) {
                return false;
            }
        }
        return true;
    }

    private void standIn(Strand strand) {
        strand.stands = step.until.number;
        strand.in = true;
    }

    @Override
    public Strand interrupted(Strand strand, Strand[] leaving) {
        Strand chosen = targets.peek();
        boolean named = chosen != null && chosen == strand;
        for (Strand one : leaving) {
            named |= one == chosen;
        }
        return named ? targets.poll() : null;
    }

    @Override
    public Strand notified(Strand strand, Strand[] waiting) {
        Strand chosen = targets.poll();
        if (chosen == null) {
            Strand first = waiting.length > 1 ? schedule.firstToRun(waiting) : null;
            return first != null ? first : waiting[0];
        }
        for (Strand one : waiting) {
            if (one == chosen) {
                return one;
            }
        }
        Verdict.diverged(this, strand, chosen.name() + ", which was to be notified, does not wait there");
        return waiting[0];
    }

    /** To leave synchronized methods by an exception counts as coming to the bytecode that threw it again. */
    @Override
    public void unwound(Strand strand) {
        boolean again = step != null && !step.in && step.until != null && step.until.number == strand.stands;
        if (again && seen() + 1 == step.count) {
            came(strand, strand.stands);
        }
    }

    @Override
    public void ended(Strand strand) {
        synchronized (this) {
            // The watchdog may come late.
            if (strand != Engine.running || strand.dying || Engine.free) {
                return;
            }
        }
        if (step == null) {
            Engine.release();
        } else if (step.until.number == Place.OUTSIDE && step.dies()) {
            perform(strand);
            Engine.hand(strand);
        } else if (strand.number == 0 && step.in && step.until.number == strand.stands) {
            Engine.bequeath(strand);
        } else {
            Verdict.diverged(this, strand, strand.name() + " ends");
        }
    }

    @Override
    public void stuckForReal(Strand strand) {
        if (step != null && expectsIn(strand)) {
            standIn(strand);
            Engine.astray(strand);
            perform(strand);
            Strand next = Engine.running;
            if (next != null && next != strand) {
                Engine.turns++;
                next.go();
            }
        }
    }

    @Override
    public String expects() {
        Step expected = step;
        if (expected == null || expected.until == null) {
            return null;
        }
        Strand strand = Engine.running;
        String who = strand == null ? "no thread" : strand.name();
        String stand = expected.dies() ? "to end after " : expected.in ? "to be blocked in " : "to come to ";
        return schedule.file() + ":" + expected.line + ": step " + (done + 1) + ": expected " + who + " " + stand
                + expected.until + " (" + Math.min(seen(), expected.count) + " of " + expected.count
                + " times so far)";
    }

    @Override
    public int line() {
        Step expected = step;
        return expected == null ? 0 : expected.line;
    }

    @Override
    public long done() {
        return done;
    }

    @Override
    public boolean over() {
        return step == null;
    }

    @Override
    public int stuckAt() {
        return stuckAt;
    }

    /** The moment has come: the actions of this step, and of those that come before anybody moves. */
    private void perform(Strand strand) {
        Strand[] dying = null;
        synchronized (this) {
            performLocked(strand);
            if (!leaving.isEmpty()) {
                dying = leaving.toArray(new Strand[0]);
                leaving.clear();
            }
        }
        for (int i = 0; dying != null && i < dying.length; i++) {
            if (dying[i].thread != Thread.currentThread()) {
                dying[i].go();
            }
        }
    }

    private void performLocked(Strand strand) {
        strand.armed = false;
        targets.clear();
        do {
            if (step.until != null && Engine.running != null) {
                Engine.running.index = step.until.index;
            }
            for (int i = 0; i < step.then.size(); i++) {
                act(step.then.get(i));
            }
            done++;
            step = schedule.next();
            if (step == null) {
                Verdict.followed();
            } else if (schedule.goesRound()) {
                Verdict.goesRound(step.line);
            }
            Strand next = Engine.running;
            boolean there = step != null && next != null && comesTo(next, step.until);
            told = there ? 1 : 0;
            // A thread that is to end may be on its way out of a call.
            if (!there || step.count > 1 || step.in != isBlocked(next) && !step.dies()) {
                break;
            }
        } while (true);
        await();
    }

    /**
     * Whether a thread stands at a place, or comes to it in the same round: a call that several places
     * share is before the first of them.
     */
    private static boolean comesTo(Strand strand, Place place) {
        boolean same = place.number == strand.stands;
        return same && (place.number == Place.OUTSIDE || place.index >= strand.index);
    }

    /**
     * Whether a thread is still blocked in its place. One that was woken is on its way, and if it blocks
     * there again it has moved; only a thread in `wait` that cannot get its monitor back has not. (Who
     * begins to wait gives the monitor up.)
     */
    private static boolean isBlocked(Strand strand) {
        if (!strand.in || !strand.ready()) {
            return strand.in;
        }
        Strand current = Engine.current();
        boolean leaves = current != null && current.state == Strand.State.WAITING && current.on == strand.on;
        return strand.state == Strand.State.WAITING && !leaves && Locks.isHeld(strand.on);
    }

    /** Tells the program which place is looked out for. */
    private void await() {
        Strand next = Engine.running;
        Replay.runner = next == null ? null : next.thread;
        tellAgain();
        Replay.awaited = step == null ? Place.NOWHERE : step.until.number;
    }

    private void act(Step.Action action) {
        Strand strand = Engine.running;
        switch (action.verb) {
            case SWITCH:
                turnTo(action);
                break;
            case DIE:
                strand.dying = true;
                leaving.add(strand);
                turnTo(action);
                if (Engine.running != null) {
                    Engine.running.after = strand;
                }
                break;
            case NOTIFY:
                targets.add(named(action));
                break;
            case TIMEOUT:
                end(named(action), Strand.Wake.TIMED_OUT, action);
                break;
            case SPURIOUS:
                end(named(action), Strand.Wake.SPURIOUS, action);
                break;
            case TERMINATE:
                // A call that ends the program lets nobody else run, as in the VM.
                Place at = Session.place(strand.stands);
                if (at == null || !at.exits) {
                    Engine.release();
                }
                break;
            case LOG:
                if (action.number <= Session.VERBOSITY) {
                    Verdict.say(action.text);
                }
                break;
            default:
                throw new AssertionError(action.verb);
        }
    }

    private void turnTo(Step.Action action) {
        if (action.number == Step.Action.NONE) {
            stuckAt = action.line;
            Engine.release();
            Engine.running = null;
            return;
        }
        Strand next = named(action);
        boolean ended = !next.thread.isAlive() && next.thread.getState() == Thread.State.TERMINATED;
        if (ended && next.number == 0) {
            Engine.bequeath(next);
        } else if (ended) {
            Verdict.diverged(this, Engine.running, next.name() + ", which was to go on, has ended");
        }
        Engine.running = next;
    }

    private void end(Strand whose, Strand.Wake how, Step.Action action) {
        if (whose.ready()) {
            Verdict.diverged(this, Engine.running, whose.name() + " does not wait (line " + action.line + ")");
        }
        whose.wake = how;
        if (how == Strand.Wake.TIMED_OUT && whose.timed) {
            Clock.pass(whose.deadline);
        }
    }

    private Strand named(Step.Action action) {
        Strand strand = Engine.number(action.number);
        if (strand == null) {
            Verdict.diverged(
                    this,
                    Engine.running,
                    schedule.name(action.number) + " (line " + action.line + ") has not been started yet");
        }
        return strand;
    }
}
