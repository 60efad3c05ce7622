import java.io.RandomAccessFile;
import java.nio.file.*;
import java.nio.file.attribute.FileTime;
import java.util.*;
import static java.nio.file.StandardWatchEventKinds.*;

/**
 * WatchService: what the program itself does to the files of a directory. Events come when
 * they come, so every step ends with a file whose creation says that all before it is there.
 */
public class D03Watch {
    interface Step { void run() throws Exception; }

    static Path dir;
    static WatchService watcher;
    static int steps;

    static void step(String name, Step step) throws Exception {
        step.run();
        String end = "end" + steps++;
        Files.createFile(dir.resolve(end));
        Set<String> lines = new TreeSet<>();
        for (boolean more = true; more; ) {
            WatchKey key = watcher.take();
            Path of = ((Path) key.watchable()).getFileName();
            for (WatchEvent<?> event : key.pollEvents()) {
                if (event.context().toString().equals(end)) more = false;
                else lines.add((key.watchable().equals(dir) ? "." : of) + " " + event.kind() + " " + event.context());
            }
            if (!key.reset()) lines.add(of + " is over");
        }
        System.out.println(name + ": " + lines);
    }

    public static void main(String[] args) throws Exception {
        dir = Files.createTempDirectory("heddle-watch");
        Path a = dir.resolve("a"), b = dir.resolve("b"), sub = dir.resolve("sub");
        watcher = FileSystems.getDefault().newWatchService();
        WatchKey key = dir.register(watcher, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY);
        System.out.println(key.isValid() + " " + key.watchable().equals(dir)
                + " " + (key == dir.register(watcher, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY)));
        step("create", () -> Files.createFile(a));
        step("create again", () -> {
            try { Files.createFile(a); } catch (FileAlreadyExistsException e) { System.out.println("exists"); }
        });
        step("write", () -> Files.writeString(a, "one"));
        step("append", () -> Files.writeString(a, "x", StandardOpenOption.APPEND));
        step("read", () -> Files.readString(a));
        step("directory", () -> Files.createDirectory(sub));
        step("out", () -> Files.move(a, sub.resolve("c")));
        step("in", () -> Files.move(sub.resolve("c"), b));
        step("copy", () -> Files.copy(b, a));
        step("replace", () -> Files.move(b, a, StandardCopyOption.REPLACE_EXISTING));
        step("times", () -> Files.setLastModifiedTime(a, FileTime.fromMillis(1000)));
        step("mode", () -> a.toFile().setExecutable(true));
        step("link", () -> Files.createSymbolicLink(b, Path.of("a")));
        step("hard link", () -> Files.createLink(dir.resolve("h"), a));
        step("unlink", () -> { Files.delete(b); Files.delete(dir.resolve("h")); });
        step("random", () -> {
            try (RandomAccessFile file = new RandomAccessFile(dir.resolve("r").toFile(), "rw")) {
                file.write(1);
                file.setLength(0);
                file.write(new byte[3]);
            }
        });
        WatchKey inner = sub.register(watcher, ENTRY_CREATE);
        step("only creations", () -> { Files.createFile(sub.resolve("q")); Files.delete(sub.resolve("q")); });
        step("gone", () -> Files.delete(sub));
        System.out.println(inner.isValid() + " " + key.isValid());
        key.cancel();
        Files.createFile(sub);
        System.out.println(key.isValid() + " " + watcher.poll());
        WatchKey again = dir.register(watcher, ENTRY_DELETE);
        Thread deleter = new Thread(() -> sub.toFile().delete());
        deleter.start();
        WatchKey got = watcher.take();
        System.out.println((got == again) + " " + got.pollEvents().get(0).kind().name());
        deleter.join();
        try { a.register(watcher, ENTRY_CREATE); } catch (NotDirectoryException e) { System.out.println("no directory"); }
        try { b.register(watcher, ENTRY_CREATE); } catch (NoSuchFileException e) { System.out.println("no file"); }
        Thread closer = new Thread(() -> {
            try { watcher.close(); } catch (Exception e) { System.out.println(e); }
        });
        closer.start();
        try {
            System.out.println(watcher.take());
        } catch (ClosedWatchServiceException e) {
            System.out.println("closed");
        }
        closer.join();
        for (String name : dir.toFile().list()) Files.delete(dir.resolve(name));
        Files.delete(dir);
    }
}
