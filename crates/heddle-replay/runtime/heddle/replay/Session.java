package heddle.replay;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of a program under the library: finds the schedule and the table of places beside the
 * program's classes, and sets the engine up.
 */
final class Session {
    /** Where the instrumenter puts its files, on the class path. */
    private static final String FOLDER = "META-INF/heddle/";

    static final int VERBOSITY = Integer.getInteger("heddle.verbosity", 1);

    private static Places places;
    private static Schedule schedule;
    static Follower follower;

    private Session() {}

    /** Called once, by the first thread that calls the library. */
    static void open() {
        Verdict.open();
        try {
            places = new Places(lines(null, "places"));
            String file = System.getProperty("heddle.schedule");
            schedule = new Schedule(file == null ? "schedule" : file, lines(file, "schedule"), places);
        } catch (IOException e) {
            Verdict.unable("cannot read the schedule: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            Verdict.unable(e.getMessage());
        }
        Relaunch.ifNeeded();
        follower = new Follower(schedule);
        Engine.steering = follower;
        Strand initial = Engine.initial();
        Verdict.watchExceptions();
        Watchdog.begin();
        if (!Hook.installed()) {
            Runtime.getRuntime().addShutdownHook(new Verdict.AtExit());
        }
        Hook.active = true;
        follower.begin(initial);
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
        return a.className.equals(b.className) && a.method.equals(b.method);
    }

    static boolean isProgram(String className) {
        return !className.startsWith("heddle.replay.") && !places.isTrusted(className);
    }

    static String[] finding() {
        return schedule.finding;
    }

    private static List<String> lines(String file, String resource) throws IOException {
        InputStream in = file != null
                ? new FileInputStream(new File(file))
                : ClassLoader.getSystemResourceAsStream(FOLDER + resource);
        if (in == null) {
            throw new IOException("there is no " + FOLDER + resource + " on the class path");
        }
        List<String> lines = new ArrayList<String>();
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, "UTF-8"));
        try {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } finally {
            reader.close();
        }
        return lines;
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
        try {
            return lines(null, "needs").contains(word);
        } catch (IOException e) {
            return false;
        }
    }
}
