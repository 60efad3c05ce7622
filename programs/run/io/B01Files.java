import java.io.*;
import java.util.*;

/** java.io.File, FileReader and FileWriter, RandomAccessFile. */
public class B01Files {
    public static void main(String[] args) throws IOException {
        File dir = new File("made");
        System.out.println(dir.exists() + " " + dir.mkdir() + dir.mkdir() + dir.isDirectory() + new File(dir, "a/b/c").mkdirs());
        File f = new File(dir, "text.txt");
        try (Writer w = new FileWriter(f)) { w.write("line 1\nline 2\n"); }
        try (Writer w = new FileWriter(f, true)) { w.write("line 3\n"); }
        System.out.println(f.length() + " " + f.isFile() + f.canRead() + f.getName() + f.getPath() + f.getParent() + f.isHidden() + f.isAbsolute());
        try (BufferedReader r = new BufferedReader(new FileReader(f))) { System.out.println(r.lines().toList()); }
        System.out.println(f.createNewFile() + " " + new File(dir, "new").createNewFile() + Arrays.toString(sorted(dir.list())) + dir.listFiles(File::isDirectory).length);
        try (RandomAccessFile raf = new RandomAccessFile(new File(dir, "raf"), "rw")) {
            raf.writeInt(7);
            raf.writeUTF("utf");
            raf.seek(100);
            raf.write(65);
            System.out.println(raf.length() + " " + raf.getFilePointer());
            raf.seek(0);
            System.out.println(raf.readInt() + raf.readUTF() + raf.read());
            raf.setLength(50);
            raf.seek(60);
            System.out.println(raf.length() + " " + raf.read() + raf.getFilePointer());
            raf.skipBytes(-1);
        }
        System.out.println(f.renameTo(new File(dir, "renamed.txt")) + " " + f.exists() + new File(dir, "renamed.txt").setLastModified(1_000_000_000_000L) + new File(dir, "renamed.txt").lastModified());
        String[] bad = {"missing", "dir as file", "delete full", "read only"};
        for (String b : bad) {
            try {
                switch (b) {
                    case "missing" -> new FileInputStream(new File(dir, "nope")).close();
                    case "dir as file" -> new FileInputStream(dir).close();
                    case "delete full" -> System.out.println(dir.delete());
                    default -> { try (RandomAccessFile r = new RandomAccessFile(new File(dir, "raf"), "r")) { r.write(1); } }
                }
            } catch (IOException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
        File ro = new File(dir, "new");
        System.out.println(ro.setReadOnly() + " " + new File("a/../b/./c").getPath() + " " + new File("/x//y/").getPath() + new File("", "z").getPath() + new File("p").compareTo(new File("q")));
        try (FileOutputStream o = new FileOutputStream(new File(dir, "bin")); FileOutputStream same = new FileOutputStream(o.getFD())) {
            o.write(new byte[] {1, 2, 3}, 1, 2);
            same.write(9);
        }
        try (FileInputStream i = new FileInputStream(new File(dir, "bin"))) {
            System.out.println(i.available() + Arrays.toString(i.readAllBytes()) + i.read());
        }
        File tmp = File.createTempFile("heddle", ".tmp", dir);
        System.out.println(tmp.getName().startsWith("heddle") + " " + tmp.getName().endsWith(".tmp") + tmp.length());
        delete(dir);
        System.out.println(dir.exists());
    }
    static String[] sorted(String[] s) { Arrays.sort(s); return s; }
    static void delete(File f) {
        File[] all = f.listFiles();
        if (all != null) for (File x : all) delete(x);
        if (!f.delete()) System.out.println("not deleted " + f);
    }
}
