import java.nio.file.*;

/** Path arithmetic without touching the disk. */
public class B01Paths {
    public static void main(String[] args) {
        Path p = Path.of("/a/b/../c/./d.txt"), r = Path.of("x", "y", "z");
        System.out.println(p + " " + p.normalize() + " " + p.getFileName() + p.getParent() + p.getRoot() + p.getNameCount() + p.getName(1) + p.subpath(1, 3) + p.isAbsolute());
        System.out.println(r + " " + r.resolve("w") + r.resolve("/abs") + r.resolveSibling("s") + r.isAbsolute() + r.getRoot() + r.startsWith("x") + r.endsWith("y/z") + r.endsWith("z/"));
        System.out.println(Path.of("/a/b").relativize(Path.of("/a/c/d")) + " " + Path.of("a").relativize(Path.of("a/b")) + "|" + Path.of("a").relativize(Path.of("a")) + "|" + Path.of("").resolve("q"));
        System.out.println(p.compareTo(r) + " " + p.equals(Path.of("/a/b/../c/./d.txt")) + (p.hashCode() == Path.of("/a/b/../c/./d.txt").hashCode()) + Path.of("a//b/").toString() + Path.of("../..").normalize());
        StringBuilder s = new StringBuilder();
        for (Path e : p) s.append(e).append(';');
        System.out.println(s + " " + p.toUri() + p.getFileSystem().getSeparator() + p.iterator().next());
        PathMatcher m = FileSystems.getDefault().getPathMatcher("glob:**/*.{java,txt}");
        System.out.println(m.matches(p) + " " + m.matches(Path.of("x.java")) + FileSystems.getDefault().getPathMatcher("regex:.*z").matches(r));
        try {
            Path.of("a").relativize(Path.of("/b"));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Path.of("bad\0name");
        } catch (InvalidPathException e) {
            System.out.println(e.getReason() + e.getIndex());
        }
        System.out.println(java.net.URI.create("http://user@host:80/p/a?q=1#f").getPath() + java.net.URI.create("a/b").resolve("../c") + java.net.URLEncoder.encode("a b&\u00e9", java.nio.charset.StandardCharsets.UTF_8) + java.net.URLDecoder.decode("a+%C3%A9", java.nio.charset.StandardCharsets.UTF_8).length());
    }
}
