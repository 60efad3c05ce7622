import java.io.*;
import java.nio.file.*;
import java.util.*;

/** RandomAccessFile, descriptors, and the errors of java.io streams. */
public class D01RandomAccess {
    interface Act { Object run() throws Exception; }

    static void show(String what, Act act) {
        try {
            System.out.println(what + ": " + act.run());
        } catch (Throwable t) {
            System.out.println(what + ": " + t);
        }
    }

    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory("d01");
        File file = dir.resolve("data.bin").toFile();
        String prefix = dir.toString();
        try (RandomAccessFile raf = new RandomAccessFile(file, "rw")) {
            raf.writeInt(0xcafebabe);
            raf.writeUTF("grüße €");
            raf.writeDouble(Math.PI);
            raf.writeLong(-2);
            System.out.println(raf.getFilePointer() + " " + raf.length());
            raf.seek(0);
            System.out.println(Integer.toHexString(raf.readInt()) + " " + raf.readUTF() + " " + raf.readDouble() + " " + raf.readLong());
            System.out.println(raf.read());
            show("readInt at end", raf::readInt);
            raf.seek(100);
            System.out.println(raf.length() + " " + raf.read());
            raf.write(7);
            System.out.println(raf.length());
            raf.seek(60);
            byte[] gap = new byte[41];
            raf.readFully(gap);
            System.out.println(gap[0] + " " + gap[40]);
            raf.setLength(10);
            System.out.println(raf.getFilePointer() + " " + raf.length());
            raf.setLength(20);
            raf.seek(9);
            System.out.println(raf.read() + " " + raf.read() + " " + raf.skipBytes(100) + " " + raf.getFilePointer());
            show("negative seek", () -> { raf.seek(-1); return null; });
            show("negative length", () -> { raf.setLength(-1); return null; });
            show("read bounds", () -> raf.read(new byte[3], 2, 2));
            show("valid", () -> raf.getFD().valid());
            raf.getFD().sync();
            raf.seek(0);
            raf.writeBytes("line one\nline two\r\nline three");
            raf.seek(0);
            for (String line; (line = raf.readLine()) != null; ) System.out.println("[" + line + "]");
        }
        RandomAccessFile closed = new RandomAccessFile(file, "r");
        show("write to r", () -> { closed.write(1); return null; });
        show("setLength on r", () -> { closed.setLength(1); return null; });
        closed.close();
        closed.close();
        show("closed read", closed::read);
        show("closed bytes", () -> closed.read(new byte[4]));
        show("closed pointer", closed::getFilePointer);
        show("closed length", closed::length);
        show("closed seek", () -> { closed.seek(1); return null; });
        show("closed fd", () -> closed.getFD().valid());
        show("mode", () -> new RandomAccessFile(file, "x"));
        show("missing", () -> new RandomAccessFile("/no/such/file", "r"));
        show("directory", () -> new RandomAccessFile("/", "rw"));
        show("rws", () -> { try (RandomAccessFile r = new RandomAccessFile(file, "rws")) { r.write(1); return r.length(); } });

        show("missing in", () -> new FileInputStream("no-such-file.txt"));
        show("directory in", () -> new FileInputStream("/"));
        show("directory in slash", () -> new FileInputStream("/tmp/"));
        show("file as dir", () -> new FileInputStream("/etc/passwd/x"));
        show("empty", () -> new FileInputStream(""));
        show("null", () -> new FileInputStream((String) null));
        show("nul", () -> new FileInputStream("a\0b"));
        show("out missing dir", () -> new FileOutputStream("/no/such/dir/file"));
        show("out directory", () -> new FileOutputStream("/"));

        FileInputStream in = new FileInputStream(file);
        System.out.println(in.available() + " " + in.skip(5) + " " + in.available() + " " + (char) in.read());
        System.out.println(in.skip(1000) + " " + in.available() + " " + in.read());
        System.out.println(in.skip(-20));
        show("skip back too far", () -> in.skip(-100000));
        System.out.println(in.markSupported() + " " + in.readAllBytes().length + " " + in.readAllBytes().length);
        in.close();
        show("closed in", in::read);
        show("closed skip", () -> in.skip(1));
        show("closed available", in::available);
        show("zero", () -> in.read(new byte[0]));

        FileOutputStream out = new FileOutputStream(file, true);
        out.write("+tail".getBytes());
        out.write(new byte[] {65, 66, 67, 68}, 1, 2);
        show("bad range", () -> { out.write(new byte[2], 1, 2); return null; });
        out.close();
        show("closed out", () -> { out.write(1); return null; });
        System.out.println(Files.readString(file.toPath()).replace('\u0001', '!').length());
        try (FileOutputStream o = new FileOutputStream(file)) {
            o.write("fresh".getBytes());
            o.getChannel().position(2);
            o.write('E');
        }
        System.out.println(Files.readString(file.toPath()));
        try (FileWriter w = new FileWriter(file, true); PrintWriter p = new PrintWriter(w)) {
            p.printf("%s-%05d%n", "x", 42);
        }
        System.out.print(Files.readString(file.toPath()));
        System.out.println(file.delete() + " " + file.delete() + " " + dir.toFile().delete() + " " + prefix.startsWith("/tmp/d01"));
    }
}
