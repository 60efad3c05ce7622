import java.io.*;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.nio.charset.*;
import java.util.*;
import java.util.stream.*;
import static java.nio.file.StandardOpenOption.*;
import static java.nio.file.StandardCopyOption.*;

/** java.nio.file.Files: attributes, links, trees, options, errors. */
public class D01Attributes {
    static Path root;

    interface Act { Object run() throws Exception; }

    static String clean(Object o) {
        return String.valueOf(o).replace(root.toString(), "ROOT");
    }

    static void show(String what, Act act) {
        try {
            System.out.println(what + ": " + clean(act.run()));
        } catch (Throwable t) {
            System.out.println(what + ": " + clean(t));
        }
    }

    public static void main(String[] args) throws Exception {
        root = Files.createTempDirectory("d01");
        Path a = root.resolve("a"), b = root.resolve("b"), d = root.resolve("dir");
        Files.writeString(a, "hello\nworld\n");
        show("size", () -> Files.size(a));
        show("missing", () -> Files.size(b));
        show("create again", () -> Files.createFile(a));
        show("create new", () -> Files.write(a, new byte[1], CREATE_NEW));
        show("append", () -> { Files.writeString(a, "more", APPEND); return Files.readAllLines(a); });
        show("append missing", () -> Files.writeString(b, "more", APPEND));
        show("dir", () -> Files.createDirectory(d).getFileName());
        show("dir again", () -> Files.createDirectory(d));
        show("dirs again", () -> Files.createDirectories(d).getFileName());
        show("dirs over file", () -> Files.createDirectories(a));
        show("dirs deep", () -> Files.createDirectories(d.resolve("x/y/z")).getFileName());
        show("delete full", () -> { Files.delete(d); return 0; });
        show("delete missing", () -> { Files.delete(b); return 0; });
        show("if exists", () -> Files.deleteIfExists(b));
        show("copy", () -> Files.copy(a, b).getFileName());
        show("copy again", () -> Files.copy(a, b));
        show("copy replace", () -> Files.copy(a, b, REPLACE_EXISTING, COPY_ATTRIBUTES).getFileName());
        show("copy onto full dir", () -> Files.copy(a, d, REPLACE_EXISTING));
        show("copy dir", () -> Files.copy(d, root.resolve("dir2")).getFileName());
        show("mismatch", () -> Files.mismatch(a, b));
        show("same", () -> Files.isSameFile(a, b) + " " + Files.isSameFile(a, root.resolve("dir/../a")));
        show("move", () -> Files.move(b, d.resolve("b")).getFileName());
        show("move replace", () -> Files.move(d.resolve("b"), root.resolve("c"), ATOMIC_MOVE).getFileName());
        show("move missing", () -> Files.move(b, d.resolve("b")));
        show("move onto", () -> Files.move(root.resolve("c"), a));
        show("link", () -> Files.createLink(root.resolve("hard"), a).getFileName());
        show("symlink", () -> Files.createSymbolicLink(root.resolve("soft"), Path.of("a")).getFileName());
        show("read link", () -> Files.readSymbolicLink(root.resolve("soft")));
        show("read no link", () -> Files.readSymbolicLink(a));
        show("real", () -> root.toRealPath().relativize(root.resolve("soft").toRealPath()));
        show("no follow", () -> root.toRealPath().relativize(root.resolve("soft").toRealPath(LinkOption.NOFOLLOW_LINKS)));
        show("real missing", () -> b.toRealPath());
        show("same hard", () -> Files.isSameFile(a, root.resolve("hard")) + " " + Files.getAttribute(a, "unix:nlink"));
        show("kinds", () -> Files.isSymbolicLink(root.resolve("soft")) + " " + Files.isRegularFile(root.resolve("soft")) + " " + Files.isRegularFile(root.resolve("soft"), LinkOption.NOFOLLOW_LINKS));
        show("loop", () -> { Files.createSymbolicLink(root.resolve("l1"), Path.of("l2")); Files.createSymbolicLink(root.resolve("l2"), Path.of("l1")); return Files.readString(root.resolve("l1")); });
        show("exists", () -> Files.exists(root.resolve("l1")) + " " + Files.notExists(root.resolve("l1")) + " " + Files.exists(root.resolve("l1"), LinkOption.NOFOLLOW_LINKS));
        show("modes", () -> PosixFilePermissions.toString(Files.getPosixFilePermissions(Files.setPosixFilePermissions(a, PosixFilePermissions.fromString("rw-r-x--x")))));
        show("executable", () -> Files.isExecutable(a) + " " + Files.isReadable(a) + " " + Files.isWritable(a));
        show("with mode", () -> PosixFilePermissions.toString(Files.getPosixFilePermissions(Files.createFile(root.resolve("m"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))))));
        show("time", () -> Files.getLastModifiedTime(Files.setLastModifiedTime(a, FileTime.fromMillis(1600000000123L))));
        show("basic", () -> { BasicFileAttributes x = Files.readAttributes(a, BasicFileAttributes.class); return x.size() + " " + x.isDirectory() + " " + x.isOther() + " " + x.lastModifiedTime().toMillis() + " " + (x.fileKey() != null); });
        show("view", () -> { Files.getFileAttributeView(a, BasicFileAttributeView.class).setTimes(FileTime.fromMillis(5000), FileTime.fromMillis(7000), null); return Files.getAttribute(a, "lastModifiedTime") + " " + Files.getAttribute(a, "lastAccessTime"); });
        show("named", () -> new TreeMap<>(Files.readAttributes(a, "size,isDirectory,lastModifiedTime")));
        show("posix keys", () -> new TreeSet<>(Files.readAttributes(a, "posix:*").keySet()));
        show("unix keys", () -> new TreeSet<>(Files.readAttributes(a, "unix:*").keySet()));
        show("bad attr", () -> Files.getAttribute(a, "nonsense"));
        show("bad view", () -> Files.getAttribute(a, "foo:bar"));
        show("owner", () -> Files.getOwner(a).equals(Files.getOwner(root)));
        show("lookup", () -> root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("root"));
        show("no user", () -> root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("no-such-user-x"));
        show("no group", () -> root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName("no-such-group-x"));
        show("list", () -> { try (Stream<Path> s = Files.list(root)) { return s.map(p -> p.getFileName().toString()).sorted().collect(Collectors.joining(",")); } });
        show("walk", () -> { try (Stream<Path> s = Files.walk(root)) { return s.map(p -> root.relativize(p).toString()).sorted().collect(Collectors.joining(",")); } });
        show("walk 1", () -> { try (Stream<Path> s = Files.walk(d, 1)) { return s.count(); } });
        show("find", () -> { try (Stream<Path> s = Files.find(root, 9, (p, x) -> x.isDirectory())) { return s.map(p -> root.relativize(p).toString()).sorted().collect(Collectors.joining(",")); } });
        show("glob", () -> { List<String> l = new ArrayList<>(); try (DirectoryStream<Path> s = Files.newDirectoryStream(root, "{a,h*,l?}")) { for (Path p : s) l.add(p.getFileName().toString()); } Collections.sort(l); return l; });
        show("stream of file", () -> Files.newDirectoryStream(a));
        show("stream missing", () -> Files.newDirectoryStream(b));
        show("secure", () -> { try (DirectoryStream<Path> s = Files.newDirectoryStream(root)) { if (!(s instanceof SecureDirectoryStream)) return "plain"; SecureDirectoryStream<Path> z = (SecureDirectoryStream<Path>) s; try (SecureDirectoryStream<Path> in = z.newDirectoryStream(Path.of("dir"))) { var ch = in.newByteChannel(Path.of("new"), EnumSet.of(CREATE, WRITE)); ch.write(java.nio.ByteBuffer.wrap("abc".getBytes())); ch.close(); in.move(Path.of("new"), z, Path.of("moved")); } long n = z.getFileAttributeView(Path.of("moved"), BasicFileAttributeView.class).readAttributes().size(); z.deleteFile(Path.of("moved")); return n; } });
        show("lines", () -> { try (Stream<String> s = Files.lines(a)) { return s.collect(Collectors.toList()); } });
        show("malformed", () -> { Files.write(b, new byte[] {(byte) 0xff, 65}); return Files.readString(b); });
        show("latin1", () -> Files.readString(b, StandardCharsets.ISO_8859_1));
        show("unmappable", () -> Files.writeString(b, "\u20ac", StandardCharsets.ISO_8859_1));
        show("on close", () -> { try (var c = Files.newByteChannel(root.resolve("t"), CREATE, WRITE, DELETE_ON_CLOSE)) { c.write(java.nio.ByteBuffer.allocate(10)); } return Files.exists(root.resolve("t")); });
        show("bad options", () -> Files.newByteChannel(a, READ, APPEND));
        show("read dir", () -> Files.readAllBytes(d));
        show("write dir", () -> Files.write(d, new byte[1]));
        show("in", () -> { try (InputStream in = Files.newInputStream(a)) { in.skip(3); return in.available() + " " + (char) in.read(); } });
        show("writer", () -> { try (BufferedWriter w = Files.newBufferedWriter(b)) { w.write("zeile"); w.newLine(); } return Files.size(b); });
        show("copy stream", () -> Files.copy(new ByteArrayInputStream("stream".getBytes()), b, REPLACE_EXISTING) + Files.readString(b));
        show("copy out", () -> { ByteArrayOutputStream o = new ByteArrayOutputStream(); return Files.copy(b, o) + o.toString(); });
        show("store", () -> { FileStore s = Files.getFileStore(root); return (s.getTotalSpace() > 0) + " " + s.supportsFileAttributeView("posix") + " " + s.isReadOnly(); });
        show("hidden", () -> Files.isHidden(Path.of(".x")) + " " + Files.isHidden(Path.of("x")));
        show("type", () -> Files.probeContentType(Path.of("x.txt")) + " " + Files.probeContentType(Path.of("x.html")) + " " + Files.probeContentType(Path.of("x.zzz")));
        List<String> visits = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override public FileVisitResult visitFile(Path f, BasicFileAttributes x) throws IOException { Files.delete(f); visits.add(f.getFileName().toString()); return FileVisitResult.CONTINUE; }
            @Override public FileVisitResult postVisitDirectory(Path p, IOException e) throws IOException { Files.delete(p); if (!p.equals(root)) visits.add(p.getFileName() + "/"); return FileVisitResult.CONTINUE; }
        });
        Collections.sort(visits);
        System.out.println(visits + " " + Files.exists(root));
    }
}
