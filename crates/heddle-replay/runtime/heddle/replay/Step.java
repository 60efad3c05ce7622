package heddle.replay;

import java.util.ArrayList;
import java.util.List;

/** Until when the running thread runs, and what happens then. */
final class Step {
    /** The line of the event; of the first action if there is no event. */
    final int line;
    /** Null: at once. Only at the beginning of a schedule. */
    final Place until;
    /** Whether the thread is to be blocked in the bytecode, not to stand before it. */
    final boolean in;
    final long count;
    final List<Action> then = new ArrayList<Action>(2);

    Step(int line, Place until, boolean in, long count) {
        this.line = line;
        this.until = until;
        this.in = in;
        this.count = count;
    }

    enum Verb {
        SWITCH,
        NOTIFY,
        TIMEOUT,
        SPURIOUS,
        DIE,
        TERMINATE,
        LOG
    }

    static final class Action {
        /** The number that stands for `none`. */
        static final int NONE = -1;

        final int line;
        final Verb verb;
        /** The thread it is about, or the level of a message. */
        final int number;
        final String text;

        Action(int line, Verb verb, int number, String text) {
            this.line = line;
            this.verb = verb;
            this.number = number;
            this.text = text;
        }
    }

    /** The thread that dies when the moment has come, as the schedule says. */
    boolean dies() {
        for (int i = 0; i < then.size(); i++) {
            if (then.get(i).verb == Verb.DIE) {
                return true;
            }
        }
        return false;
    }
}
