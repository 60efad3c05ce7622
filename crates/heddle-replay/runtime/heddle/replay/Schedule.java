package heddle.replay;

import java.util.ArrayList;
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
    private final List<Command> commands = new ArrayList<Command>();
    private int at;
    private final List<Loop> open = new ArrayList<Loop>();
    private Command pending;
    private boolean over;

    /** A line: an event, an action, or the beginning or end of a loop. */
    private static final class Command {
        final int line;
        /** Of an event. */
        final Place until;
        final boolean in;
        final Step.Action action;
        /** How often; for loops 0 for `inf`, -1 at the beginning. */
        final long times;

        Command(int line, Place until, boolean in, Step.Action action, long times) {
            this.line = line;
            this.until = until;
            this.in = in;
            this.action = action;
            this.times = times;
        }
    }

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
        this.file = file;
        int depth = 0;
        while (!byMessages && lines.next()) {
            if (isLikeAnEarlierOne(lines)) {
                continue;
            }
            int number = lines.number();
            String text = lines.line();
            if (number == 1 && text.startsWith("\ufeff")) {
                text = text.substring(1);
            }
            try {
                int before = commands.size();
                depth = line(number, text, places, depth);
                if (commands.size() > before) {
                    lines.remember(commands.get(before));
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(file + ":" + number + ": " + e.getMessage());
            } catch (IndexOutOfBoundsException e) {
                throw new IllegalArgumentException(
                        file + ":" + number + ": something is missing at the end of the line");
            }
        }
        if (depth != 0) {
            throw new IllegalArgumentException(file + ": a loopbegin has no loopend");
        }
    }

    /** Reads the line by means of one that differs in the number at its end only, if there was one. */
    private boolean isLikeAnEarlierOne(Lines lines) {
        Command earlier = (Command) lines.earlier();
        int last = earlier == null ? -1 : lines.last();
        if (last < 0) {
            return false;
        }
        if (earlier.until != null) {
            commands.add(new Command(lines.number(), earlier.until, earlier.in, null, last));
            return true;
        }
        if (earlier.action != null && earlier.action.verb == Step.Verb.SWITCH) {
            act(lines.number(), Step.Verb.SWITCH, last, null);
            return true;
        }
        return false;
    }

    private int line(int number, String text, Places places, int depth) {
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
                long count = Long.parseLong(words.get(4));
                atMost(words, 5);
                commands.add(new Command(number, place, keyword.equals("in"), null, count));
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
                loop(number, -1);
                return depth + 1;
            case "loopend":
                loop(number, words.get(1).equals("inf") ? 0 : Math.max(1, Long.parseLong(words.get(1))));
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
        commands.add(new Command(line, null, false, new Step.Action(line, verb, number, text), 0));
    }

    private void loop(int line, long times) {
        commands.add(new Command(line, null, false, null, times));
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
        Command command = pending != null ? pending : unrolled();
        pending = null;
        if (command == null) {
            over = true;
            return null;
        }
        Step step;
        if (command.until != null) {
            step = new Step(command.line, command.until, command.in, command.times);
        } else {
            step = new Step(command.line, null, false, 0);
            step.then.add(command.action);
            over = command.action.verb == Step.Verb.TERMINATE;
        }
        while (!over && (command = unrolled()) != null) {
            if (command.until != null) {
                pending = command;
                break;
            }
            step.then.add(command.action);
            over = command.action.verb == Step.Verb.TERMINATE;
        }
        return step;
    }

    private Command unrolled() {
        while (at < commands.size()) {
            Command command = commands.get(at++);
            if (command.until != null || command.action != null) {
                for (Loop loop : open) {
                    loop.moved = true;
                }
                return command;
            }
            if (command.times < 0) {
                open.add(new Loop(at));
                continue;
            }
            Loop loop = open.get(open.size() - 1);
            loop.rounds++;
            if (loop.moved && (command.times == 0 || loop.rounds < command.times)) {
                loop.moved = false;
                turns += command.times == 0 ? 1 : 0;
                at = loop.body;
            } else {
                open.remove(open.size() - 1);
            }
        }
        return null;
    }

    /** Of these threads the one that the commands ahead switch to first, or null. Loops count once. */
    Strand firstToRun(Strand[] threads) {
        int end = Math.min(commands.size(), at + LOOK_AHEAD);
        for (int i = at; i < end; i++) {
            Step.Action action = commands.get(i).action;
            if (action == null || action.verb != Step.Verb.SWITCH && action.verb != Step.Verb.DIE) {
                continue;
            }
            for (Strand thread : threads) {
                if (thread.number == action.number) {
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
