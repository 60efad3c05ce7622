package heddle.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A schedule file, read: the language of docs/schedules.md. {@link #next} gives one step after the
 * other; loops are unrolled as steps are asked for. Heddle checks files when it instruments, so what
 * is wrong here was changed by hand since; it is told with its line.
 */
final class Schedule {
    /** Thread numbers by path of spawns; empty without a header. */
    final Map<String, Integer> numbers = new HashMap<String, Integer>();
    /** Names by number, for messages. */
    final Map<Integer, String> names = new HashMap<Integer, String>();
    /** Kind and sentence of what the schedule shows, or null. */
    String[] finding;
    /** The accesses of a race, if that is what it shows. */
    final Accesses accesses = new Accesses();

    /** Whether threads have commands of their own; {@link Messenger} reads those. */
    boolean byMessages;

    private final String file;
    /** The commands, in columns: a captured schedule has thousands, and each has its turn only once. */
    private int size;

    private int[] lines = new int[64];
    private int[] kinds = new int[64];
    /** The row of a place, the number of a thread, or the level of a message. */
    private int[] whose = new int[64];
    /** How often; for the end of a loop 0 for `inf`. */
    private long[] times = new long[64];
    /** Messages of `log`, by command. */
    private final Map<Integer, String> texts = new HashMap<Integer, String>();
    /** Places outside of the program: the row -1, -2 and so on. */
    private final List<Place> outside = new ArrayList<Place>();
    private final Places places;

    private int at;
    private final List<Loop> open = new ArrayList<Loop>();
    /** The event of the next step, which was read already; -1 if it was not. */
    private int pending = -1;
    private boolean over;

    // --- Kinds of commands, which `digest.rs` knows; those of actions are ACTION and the number of their verb ---
    private static final int BEFORE = 1;
    private static final int IN = 2;
    private static final int LOOP_BEGIN = 3;
    private static final int LOOP_END = 4;
    private static final int ACTION = 16;
    private static final int SWITCH = ACTION + Step.Verb.SWITCH.ordinal();
    private static final Step.Verb[] VERBS = Step.Verb.values();

    private static final class Loop {
        final int body;
        long rounds;
        /** Whether this round held a command; a loop without one is over. */
        boolean moved;

        Loop(int body) {
            this.body = body;
        }
    }

    /**
     * Reads a schedule, of one by messages only the header. Throws IllegalArgumentException with file, line
     * and what was expected.
     */
    Schedule(String file, Lines lines, Places places) {
        this(file, places);
        int depth = 0;
        while (!byMessages && lines.next()) {
            depth = line(lines.number(), lines.line(), depth);
        }
        closed(depth);
    }

    /** The same by what the instrumenter has found out about the file; see {@link Digest}. */
    Schedule(String file, Digest digest, Places places) {
        this(file, places);
        int depth = 0;
        while (digest.next()) {
            if (digest.kind() == Digest.TEXT) {
                depth = line(digest.line(), digest.text(), depth);
            } else {
                add(digest.line(), digest.kind(), digest.number(), digest.times());
            }
        }
        closed(depth);
    }

    private Schedule(String file, Places places) {
        this.file = file;
        this.places = places;
    }

    private void closed(int depth) {
        if (depth != 0) {
            throw new IllegalArgumentException(file + ": a loopbegin has no loopend");
        }
    }

    /** Reads a line; the number of loops that are open behind it. */
    private int line(int number, String text, int depth) {
        try {
            return words(number, number == 1 && text.startsWith("\ufeff") ? text.substring(1) : text, depth);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ":" + number + ": " + e.getMessage());
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    file + ":" + number + ": something is missing at the end of the line");
        }
    }

    private int words(int number, String text, int depth) {
        String trimmed = text.trim();
        if (trimmed.equals("log") || trimmed.startsWith("log ") || trimmed.startsWith("log\t")) {
            int comment = trimmed.indexOf('#');
            String[] parts = (comment < 0 ? trimmed : trimmed.substring(0, comment)).trim().split("\\s+");
            StringBuilder message = new StringBuilder();
            for (int i = 2; i < parts.length; i++) {
                message.append(i == 2 ? "" : " ").append(parts[i]);
            }
            act(number, Step.Verb.LOG, Integer.parseInt(parts[1]), message.toString());
            return depth;
        }
        List<String> words = Words.split(text);
        if (words.isEmpty()) {
            return depth;
        }
        String keyword = words.get(0);
        switch (keyword) {
            case "heddle-schedule":
                if (!words.get(1).equals("1")) {
                    throw new IllegalArgumentException("the format has version " + words.get(1) + "; expected 1");
                }
                break;
            case "program":
            case "main":
            case "options":
            case "strategy":
            case "seed":
            case "code":
                break;
            case "finding":
                finding = new String[] {words.get(1), words.get(2)};
                break;
            case "access":
                accesses.expect(
                        number(words.get(1)), places.find(words.get(3), words.get(4), number(words.get(5))));
                break;
            case "schedulebegin":
                byMessages = true;
                break;
            case "thread":
                numbers.put(words.get(2), number(words.get(1)));
                names.put(number(words.get(1)), words.get(3));
                break;
            case "before":
            case "in":
                Place place = places.find(words.get(1), words.get(2), number(words.get(3)));
                atMost(words, 5);
                add(number, keyword.equals("in") ? IN : BEFORE, row(place), Long.parseLong(words.get(4)));
                break;
            case "switch":
                act(number, Step.Verb.SWITCH, target(words.get(1)), null);
                atMost(words, 2);
                break;
            case "die":
                act(number, Step.Verb.DIE, target(words.get(1)), null);
                break;
            case "notify":
                act(number, Step.Verb.NOTIFY, number(words.get(1)), null);
                break;
            case "timeout":
                act(number, Step.Verb.TIMEOUT, number(words.get(1)), null);
                break;
            case "spurious":
                act(number, Step.Verb.SPURIOUS, number(words.get(1)), null);
                break;
            case "terminate":
                act(number, Step.Verb.TERMINATE, 0, null);
                break;
            case "loopbegin":
                add(number, LOOP_BEGIN, 0, 0);
                return depth + 1;
            case "loopend":
                long rounds = words.get(1).equals("inf") ? 0 : Math.max(1, Long.parseLong(words.get(1)));
                add(number, LOOP_END, 0, rounds);
                if (depth == 0) {
                    throw new IllegalArgumentException("expected a loopbegin above this loopend");
                }
                return depth - 1;
            default:
                throw new IllegalArgumentException("unknown command `" + keyword + "`");
        }
        return depth;
    }

    private void act(int line, Step.Verb verb, int number, String text) {
        if (text != null) {
            texts.put(size, text);
        }
        add(line, ACTION + verb.ordinal(), number, 0);
    }

    private void add(int line, int kind, int number, long count) {
        if (size == kinds.length) {
            lines = Arrays.copyOf(lines, 2 * size);
            kinds = Arrays.copyOf(kinds, 2 * size);
            whose = Arrays.copyOf(whose, 2 * size);
            times = Arrays.copyOf(times, 2 * size);
        }
        lines[size] = line;
        kinds[size] = kind;
        whose[size] = number;
        times[size++] = count;
    }

    private int row(Place place) {
        int row = places.row(place);
        if (row < 0) {
            outside.add(place);
            row = -outside.size();
        }
        return row;
    }

    private Place place(int command) {
        int row = whose[command];
        return row < 0 ? outside.get(-1 - row) : places.get(row);
    }

    private int number(String word) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a number, found `" + word + "`");
        }
    }

    private static void atMost(List<String> words, int number) {
        if (words.size() > number) {
            throw new IllegalArgumentException("expected the end of the line, found `" + words.get(number) + "`");
        }
    }

    private int target(String word) {
        return word.equals("none") ? Step.Action.NONE : number(word);
    }

    /** The next step, or null at the end. */
    Step next() {
        if (over) {
            return null;
        }
        int command = pending >= 0 ? pending : unrolled();
        pending = -1;
        if (command < 0) {
            over = true;
            return null;
        }
        boolean event = kinds[command] < ACTION;
        Step step = event
                ? new Step(lines[command], place(command), kinds[command] == IN, times[command])
                : new Step(lines[command], null, false, 0);
        if (!event) {
            act(step, command);
        }
        while (!over && (command = unrolled()) >= 0) {
            if (kinds[command] < ACTION) {
                pending = command;
                break;
            }
            act(step, command);
        }
        return step;
    }

    private void act(Step step, int command) {
        Step.Verb verb = VERBS[kinds[command] - ACTION];
        String text = verb == Step.Verb.LOG ? texts.get(command) : null;
        step.then.add(new Step.Action(lines[command], verb, whose[command], text));
        over = verb == Step.Verb.TERMINATE;
    }

    /** The next command that is none of a loop, or -1. */
    private int unrolled() {
        while (at < size) {
            int command = at++;
            int kind = kinds[command];
            if (kind == LOOP_BEGIN) {
                open.add(new Loop(at));
                continue;
            }
            if (kind != LOOP_END) {
                for (int i = 0; i < open.size(); i++) {
                    open.get(i).moved = true;
                }
                return command;
            }
            Loop loop = open.get(open.size() - 1);
            loop.rounds++;
            if (loop.moved && (times[command] == 0 || loop.rounds < times[command])) {
                loop.moved = false;
                turns += times[command] == 0 ? 1 : 0;
                at = loop.body;
            } else {
                open.remove(open.size() - 1);
            }
        }
        return -1;
    }

    /** Of these threads the one that the commands ahead switch to first, or null. Loops count once. */
    Strand firstToRun(Strand[] threads) {
        int end = Math.min(size, at + LOOK_AHEAD);
        for (int i = at; i < end; i++) {
            if (kinds[i] != SWITCH && kinds[i] != ACTION + Step.Verb.DIE.ordinal()) {
                continue;
            }
            for (Strand thread : threads) {
                if (thread.number == whose[i]) {
                    return thread;
                }
            }
        }
        return null;
    }

    /** Whether it has shown what it was written for: threads that go round and round. */
    boolean goesRound() {
        return turns >= ROUNDS && finding != null && finding[0].equals("livelock");
    }

    /** Rounds of an endless loop after which it is believed. */
    private static final int ROUNDS = 1000;

    /** How often an endless loop has begun again. */
    private long turns;

    /** How far to look for the thread that a notification is to wake. */
    private static final int LOOK_AHEAD = 20000;

    String file() {
        return file;
    }

    /** What messages call a thread. */
    String name(int number) {
        String name = names.get(number);
        return name == null || name.isEmpty() ? "thread " + number : name;
    }
}
