import java.io.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.stream.*;

/** java.nio.file.Files: reading, writing, walking, copying, attributes, errors. */
public class B02Files {
    static String rel(Path base, Path p) { return base.relativize(p).toString(); }

    public static void main(String[] args) throws IOException {
        Path dir = Files.createTempDirectory("heddle-nio");
        try {
            Path a = dir.resolve("a.txt");
            Files.writeString(a, "first\nsecond\n");
            Files.write(a, List.of("third", "f\u00f6urth"), StandardOpenOption.APPEND);
            System.out.println(Files.readAllLines(a).size() + " " + Files.size(a) + Files.readString(a).length() + Files.exists(a) + Files.isRegularFile(a) + Files.isDirectory(dir));
            try (Stream<String> l = Files.lines(a)) { System.out.println(l.filter(s -> s.contains("i")).toList()); }
            Files.createDirectories(dir.resolve("x/y/z"));
            Files.copy(a, dir.resolve("x/copy.txt"));
            Files.move(dir.resolve("x/copy.txt"), dir.resolve("x/y/moved.txt"));
            Files.write(dir.resolve("x/y/z/bytes"), new byte[] {1, 2, 3});
            try (Stream<Path> w = Files.walk(dir)) { System.out.println(w.map(p -> rel(dir, p)).sorted().toList()); }
            try (Stream<Path> w = Files.find(dir, 3, (p, at) -> at.isRegularFile())) { System.out.println(w.map(p -> rel(dir, p)).sorted().toList()); }
            try (DirectoryStream<Path> d = Files.newDirectoryStream(dir.resolve("x/y"), "*.txt")) { for (Path p : d) System.out.println(rel(dir, p)); }
            try (Stream<Path> l = Files.list(dir)) { System.out.println(l.count()); }
            List<String> visited = new ArrayList<>();
            Files.walkFileTree(dir.resolve("x"), new SimpleFileVisitor<>() {
                @Override public FileVisitResult preVisitDirectory(Path p, BasicFileAttributes at) { visited.add("+" + p.getFileName()); return p.endsWith("z") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE; }
                @Override public FileVisitResult visitFile(Path p, BasicFileAttributes at) { visited.add(p.getFileName() + ":" + at.size()); return FileVisitResult.CONTINUE; }
                @Override public FileVisitResult postVisitDirectory(Path p, IOException e) { visited.add("-" + p.getFileName()); return FileVisitResult.CONTINUE; }
            });
            Collections.sort(visited);
            System.out.println(visited);
            BasicFileAttributes at = Files.readAttributes(a, BasicFileAttributes.class);
            System.out.println(at.isDirectory() + " " + at.size() + at.isSymbolicLink() + (at.lastModifiedTime().toMillis() > 0));
            Files.setLastModifiedTime(a, FileTime.fromMillis(1_234_567_890_000L));
            System.out.println(Files.getLastModifiedTime(a) + " " + Files.getAttribute(a, "size") + Files.isSameFile(a, dir.resolve("x/../a.txt")));
            Files.setPosixFilePermissions(a, PosixFilePermissions.fromString("rw-r-----"));
            System.out.println(PosixFilePermissions.toString(Files.getPosixFilePermissions(a)) + Files.isReadable(a) + Files.isExecutable(a));
            Files.createSymbolicLink(dir.resolve("link"), Path.of("a.txt"));
            System.out.println(Files.isSymbolicLink(dir.resolve("link")) + " " + Files.readSymbolicLink(dir.resolve("link")) + Files.size(dir.resolve("link")) + Files.exists(dir.resolve("link"), LinkOption.NOFOLLOW_LINKS));
            try (BufferedWriter w = Files.newBufferedWriter(dir.resolve("w"), StandardCharsets.UTF_16LE)) { w.write("wide"); }
            try (BufferedReader r = Files.newBufferedReader(dir.resolve("w"), StandardCharsets.UTF_16LE)) { System.out.println(r.readLine() + Files.size(dir.resolve("w"))); }
            try (OutputStream o = Files.newOutputStream(dir.resolve("o"), StandardOpenOption.CREATE_NEW); InputStream i = Files.newInputStream(a)) { System.out.println(i.transferTo(o)); }
            System.out.println(Files.mismatch(a, dir.resolve("o")) + " " + Files.mismatch(a, dir.resolve("w")) + Files.deleteIfExists(dir.resolve("none")) + Files.notExists(dir.resolve("none")));
            Object[] bad = {"read", "new", "copy", "delete", "notempty", "charset", "dir", "link"};
            for (Object b : bad) {
                try {
                    switch ((String) b) {
                        case "read" -> Files.readString(dir.resolve("none"));
                        case "new" -> Files.createFile(a);
                        case "copy" -> Files.copy(a, dir.resolve("o"));
                        case "delete" -> Files.delete(dir.resolve("none"));
                        case "notempty" -> Files.delete(dir.resolve("x"));
                        case "charset" -> Files.readString(a, StandardCharsets.US_ASCII);
                        case "dir" -> Files.createDirectory(dir.resolve("p/q"));
                        default -> Files.readSymbolicLink(a);
                    }
                } catch (IOException e) {
                    System.out.println(e.getClass().getSimpleName() + " " + (e.getMessage() == null ? null : e.getMessage().replace(dir.toString(), "DIR")));
                }
            }
            Files.copy(a, dir.resolve("o"), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            System.out.println(Files.getLastModifiedTime(dir.resolve("o")).toMillis());
            Path t = Files.createTempFile(dir, "pre", ".suf");
            System.out.println(t.getFileName().toString().matches("pre\\d+\\.suf") + " " + Files.size(t) + t.getParent().equals(dir));
        } finally {
            try (Stream<Path> w = Files.walk(dir)) { w.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete()); }
        }
        System.out.println(Files.exists(dir));
    }
}
