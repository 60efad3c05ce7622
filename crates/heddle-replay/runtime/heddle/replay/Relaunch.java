package heddle.replay;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program that waits inside of the JDK needs {@link Agent}. Where the JVM was started without it, it
 * is started once more with it, and this one only waits for the other's end.
 */
final class Relaunch {
    private Relaunch() {}

    static void withAgent() {
        String agent = "-javaagent:" + jar();
        if (Session.debugged()) {
            Verdict.unable("this program waits inside of the JDK's own code; to debug its replay, start the JVM with "
                    + agent);
        }
        List<String> command = command();
        command.add(1, agent);
        try {
            final Process process = new ProcessBuilder(command).inheritIO().start();
            Runtime.getRuntime().addShutdownHook(new Thread("heddle-stop") {
                @Override
                public void run() {
                    process.destroy();
                }
            });
            Runtime.getRuntime().halt(process.waitFor());
        } catch (IOException e) {
            Verdict.unable("cannot start the JVM again with " + agent + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Runtime.getRuntime().halt(Verdict.UNABLE);
        }
    }

    /** The jar with the agent, beside the files of the program. */
    private static String jar() {
        URL found = ClassLoader.getSystemResource("heddle-replay.jar");
        if (found == null || !found.getProtocol().equals("file")) {
            Verdict.unable("there is no heddle-replay.jar on the class path");
        }
        try {
            return new File(found.toURI()).getPath();
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How this JVM was started. */
    private static List<String> command() {
        String launcher = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        List<String> command = new ArrayList<String>();
        command.add(launcher);
        String[] arguments = processArguments();
        if (arguments != null) {
            command.addAll(Arrays.asList(arguments));
            return command;
        }
        command.addAll(java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.addAll(Arrays.asList(System.getProperty("sun.java.command").split(" ")));
        return command;
    }

    /** The words behind `java`, from the operating system. By reflection: Java 8 has no ProcessHandle. */
    private static String[] processArguments() {
        try {
            Class<?> handle = Class.forName("java.lang.ProcessHandle");
            Object info = handle.getMethod("info").invoke(handle.getMethod("current").invoke(null));
            Object words = Class.forName("java.lang.ProcessHandle$Info").getMethod("arguments").invoke(info);
            return (String[]) words.getClass().getMethod("orElse", Object.class).invoke(words, new Object[] {null});
        } catch (ReflectiveOperationException e) {
            return fromProc();
        }
    }

    private static String[] fromProc() {
        try {
            byte[] bytes = java.nio.file.Files.readAllBytes(java.nio.file.Paths.get("/proc/self/cmdline"));
            String[] words = new String(bytes, "UTF-8").split("\0");
            return Arrays.copyOfRange(words, 1, words.length);
        } catch (IOException e) {
            return null;
        }
    }
}
