package heddle.replay;

import java.io.File;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One run of a program under the library: finds the schedule and the table of places beside the
 * program's classes, and sets the engine up.
 */
final class Session {
    static final int VERBOSITY = Integer.getInteger("heddle.verbosity", 1);

    private static Places places;
    private static List<String> needs;
    private static Schedule schedule;
    private static boolean recording;
    private static Messenger messenger;
    /** The line of the header that names the main class. */
    private static String main;

    private static final Set<String> mentioned = new HashSet<String>();

    private Session() {}

    /** Called once, by the first thread that calls the library. */
    static void open() {
        Verdict.open();
        try {
            Lines table = Lines.of("places");
            places = new Places(table);
            needs = Lines.of("needs").rest();
            if (needs("record")) {
                recording = true;
                schedule = new Schedule("", new Lines(new byte[0]), places.read());
            } else {
                read(System.getProperty("heddle.schedule"), table);
            }
        } catch (IOException e) {
            Verdict.unable("cannot read the schedule: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            Verdict.unable(e.getMessage());
        }
        if (needs("agent") && !Hook.installed()) {
            Relaunch.withAgent();
        }
        Engine.steering = recording ? Recorder.make(places) : messenger != null ? messenger : new Follower(schedule);
        Engine.free = messenger != null;
        Strand initial = Engine.initial();
        Verdict.watchExceptions();
        Watchdog.begin();
        if (!Hook.installed()) {
            Runtime.getRuntime().addShutdownHook(new Verdict.AtExit());
        }
        Hook.active = true;
        if (messenger != null) {
            messenger.begin(initial);
        } else if (!recording) {
            ((Follower) Engine.steering).begin(initial);
        }
    }

    /** Reads the schedule, in either format. */
    private static void read(String file, Lines table) throws IOException {
        String name = file == null ? "schedule" : file;
        Lines lines = file == null ? Lines.of("schedule") : Lines.of(new File(file));
        Digest digest = needs("digest") ? Digest.of(lines, table, places) : null;
        schedule = digest == null ? new Schedule(name, lines, places.read()) : new Schedule(name, digest, places);
        if (schedule.byMessages) {
            if (!needs("messages")) {
                Verdict.unable("this program was instrumented for a schedule by switches, but " + name
                        + " is one by messages; instrument the program with that");
            }
            messenger = new Messenger(name, lines, places);
        }
    }

    /** The messenger, if threads run side by side. */
    static Messenger messenger() {
        return messenger;
    }

    static boolean recording() {
        return recording;
    }

    /** The program begins, for the header of what is recorded. */
    static synchronized void main(String[] arguments) {
        if (main != null || !recording) {
            return;
        }
        StackTraceElement[] stack = new Throwable().getStackTrace();
        StringBuilder text = new StringBuilder("main ");
        // This method, Replay.main, the program's.
        text.append(Words.quoted(stack[2].getClassName()));
        for (String argument : arguments) {
            text.append(' ').append(Words.quoted(argument));
        }
        main = text.append('\n').toString();
    }

    /** The lines of the header that the instrumenter prepared, and those that only the run knows. */
    static String header() {
        StringBuilder text = new StringBuilder(main == null ? "" : main);
        try {
            for (String line : Lines.of("header").rest()) {
                text.append(line);
                if (line.startsWith("options")) {
                    text.append(" --processors ").append(Runtime.getRuntime().availableProcessors());
                    text.append(assertions() ? "" : " -da");
                }
                text.append('\n');
            }
        } catch (IOException e) {
            // A schedule without it is one all the same.
        }
        return text.toString();
    }

    private static boolean assertions() {
        boolean on = false;
        try {
            for (String word : java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()) {
                on |= word.equals("-ea") || word.equals("-enableassertions");
            }
        } catch (LinkageError e) {
            // No such module; the default then.
        }
        return on;
    }

    /** A place that the recorded schedule mentions: its method's digest goes into the header. */
    static void mention(Place place) {
        mentioned.add(place.className() + " " + place.method());
    }

    static String mentioned() {
        StringBuilder text = new StringBuilder();
        try {
            for (String line : Lines.of("code").rest()) {
                List<String> words = Words.split(line);
                if (mentioned.contains(words.get(1) + " " + words.get(2))) {
                    text.append(line).append('\n');
                }
            }
        } catch (IOException e) {
            // As above.
        }
        return text.toString();
    }

    /** The number of a thread that is the `order`-th one to be started. */
    static int number(String path, int order) {
        if (schedule.numbers.isEmpty()) {
            return order;
        }
        Integer number = schedule.numbers.get(path);
        // Threads that the schedule does not mention never get a turn, unless it is over.
        return number != null ? number : -1 - order;
    }

    static Place place(int number) {
        return number < 0 ? null : places.get(number);
    }

    static int places() {
        return places.size();
    }

    static boolean sameMethod(int one, int other) {
        Place a = places.get(one);
        Place b = places.get(other);
        return a.className().equals(b.className()) && a.method().equals(b.method());
    }

    static boolean isProgram(String className) {
        return !className.startsWith("heddle.replay.") && !places.isTrusted(className);
    }

    static Accesses accesses() {
        return schedule.accesses;
    }

    static String[] finding() {
        return schedule.finding;
    }

    /** Whether a debugger may be looking at this JVM. */
    static boolean debugged() {
        try {
            for (String argument :
                    java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()) {
                if (argument.contains("jdwp")) {
                    return true;
                }
            }
        } catch (LinkageError e) {
            // No such module; nobody can tell.
        }
        return false;
    }

    /** A word of the file that says what the program needs, such as {@code agent}; see {@link Relaunch}. */
    static boolean needs(String word) {
        return needs.contains(word);
    }
}
