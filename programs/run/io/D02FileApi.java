import java.io.*;
import java.nio.file.*;
import java.util.*;

/** java.io.File. */
public class D02FileApi {
    public static void main(String[] args) throws Exception {
        File dir = Files.createTempDirectory("d02").toFile();
        int cut = dir.getPath().length();
        File a = new File(dir, "a.txt"), sub = new File(dir, "x/y/z");
        System.out.println(a.exists() + " " + a.createNewFile() + " " + a.createNewFile() + " " + a.isFile() + " " + a.length());
        System.out.println(sub.mkdir() + " " + sub.mkdirs() + " " + sub.mkdirs() + " " + sub.isDirectory());
        System.out.println(new File(dir, "x/../a.txt").getCanonicalPath().substring(cut));
        System.out.println(new File(dir, "nope/./q/../../b").getCanonicalPath().substring(cut));
        System.out.println(new File(dir, "a.txt").getAbsoluteFile().equals(a) + " " + new File("rel").isAbsolute());
        System.out.println(new File("a//b/").getPath() + " " + new File("/").getName().isEmpty() + " " + new File("x").getParent());
        System.out.println(a.canRead() + " " + a.canWrite() + " " + a.canExecute());
        System.out.println(a.setExecutable(true) + " " + a.canExecute() + " " + a.setExecutable(false) + " " + a.canExecute());
        System.out.println(a.setReadOnly() + " " + Files.getPosixFilePermissions(a.toPath()).contains(java.nio.file.attribute.PosixFilePermission.OWNER_WRITE));
        System.out.println(a.setWritable(true, false) + " " + Files.getPosixFilePermissions(a.toPath()).size());
        System.out.println(a.setLastModified(1234567890123L) + " " + a.lastModified());
        try { a.setLastModified(-1); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        File b = new File(dir, "b.txt");
        System.out.println(a.renameTo(b) + " " + a.exists() + " " + b.exists() + " " + a.renameTo(b));
        for (String n : List.of("m1", "m2", "m3")) new File(dir, n).createNewFile();
        String[] names = dir.list();
        Arrays.sort(names);
        System.out.println(String.join(",", names));
        File[] some = dir.listFiles((d, n) -> n.startsWith("m"));
        Arrays.sort(some);
        for (File f : some) System.out.print(f.getName() + " ");
        System.out.println();
        System.out.println(b.list() == null);
        System.out.println(new File(dir, "none").list() == null);
        System.out.println(new File(dir, "x").delete() + " " + new File(dir, "none").delete());
        Files.createSymbolicLink(dir.toPath().resolve("link"), Path.of("x"));
        System.out.println(new File(dir, "link/y").getCanonicalPath().substring(cut) + " " + new File(dir, "link").isDirectory());
        Files.createSymbolicLink(dir.toPath().resolve("dangling"), Path.of("gone"));
        System.out.println(new File(dir, "dangling").exists() + " " + new File(dir, "dangling").getCanonicalPath().substring(cut));
        System.out.println(new File(dir, "dangling").delete());
        System.out.println((dir.getTotalSpace() > 0) + " " + (dir.getUsableSpace() > 0) + " " + new File("/no/such").getTotalSpace());
        File t = File.createTempFile("pre", ".suf", dir);
        System.out.println(t.getName().startsWith("pre") + " " + t.getName().endsWith(".suf") + " " + t.length());
        try { File.createTempFile("ab", null); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        try { new File("/no/such/dir/f").createNewFile(); } catch (IOException e) { System.out.println(e); }
        System.out.println(new File("b").compareTo(new File("a")) + " " + new File("a").hashCode() + " " + new File("/a/b").toURI());
        System.out.println(Arrays.toString(File.listRoots()) + " " + new File("/etc/passwd").isHidden() + " " + new File(".x").isHidden());
        System.out.println(new File("").exists() + " " + new File("").getAbsolutePath().equals(System.getProperty("user.dir")));
        File keep = new File(dir, "on-exit");
        keep.createNewFile();
        delete(dir);
        System.out.println(dir.exists());
    }

    static void delete(File f) {
        File[] all = Files.isSymbolicLink(f.toPath()) ? null : f.listFiles();
        if (all != null) for (File x : all) delete(x);
        if (!f.delete()) System.out.println("cannot delete " + f.getName());
    }
}
