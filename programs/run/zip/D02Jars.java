import java.io.*;
import java.net.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.nio.file.attribute.FileTime;
import java.util.*;
import java.util.jar.*;
import java.util.zip.*;

/** Zip and jar files: written, listed, read, loaded from, damaged. */
public class D02Jars {
    interface Act { Object run() throws Exception; }
    static String dir;

    static void show(String what, Act act) {
        try {
            System.out.println(what + ": " + String.valueOf(act.run()).replace(dir, "DIR"));
        } catch (Throwable t) {
            System.out.println(what + ": " + String.valueOf(t).replace(dir, "DIR"));
        }
    }

    static String sum(byte[] b) {
        CRC32 c = new CRC32();
        c.update(b);
        return b.length + ":" + Long.toHexString(c.getValue());
    }

    public static void main(String[] args) throws Exception {
        Path root = Files.createTempDirectory("d02");
        dir = root.toString();
        Path zip = root.resolve("a.zip"), jar = root.resolve("b.jar");
        try (ZipOutputStream z = new ZipOutputStream(Files.newOutputStream(zip))) {
            z.setComment("a comment é");
            ZipEntry e = new ZipEntry("dir/");
            e.setTime(1600000000000L);
            z.putNextEntry(e);
            e = new ZipEntry("dir/text.txt");
            e.setLastModifiedTime(FileTime.fromMillis(1600000000000L));
            e.setComment("entry");
            e.setExtra(new byte[] {1, 2, 2, 0, 9, 9});
            z.putNextEntry(e);
            z.write("some text, some text, some text".repeat(100).getBytes());
            e = new ZipEntry("stored.bin");
            e.setTime(1600000000000L);
            e.setMethod(ZipEntry.STORED);
            e.setSize(5);
            CRC32 c = new CRC32();
            c.update("12345".getBytes());
            e.setCrc(c.getValue());
            z.putNextEntry(e);
            z.write("12345".getBytes());
            z.setLevel(9);
            e = new ZipEntry("ünïcode.txt");
            e.setTime(1600000000000L);
            z.putNextEntry(e);
            z.write(new byte[10000]);
            z.closeEntry();
            show("duplicate", () -> { z.putNextEntry(new ZipEntry("stored.bin")); return 0; });
        }
        System.out.println(sum(Files.readAllBytes(zip)));
        try (ZipFile z = new ZipFile(zip.toFile())) {
            System.out.println(z.size() + " " + z.getComment());
            for (Enumeration<? extends ZipEntry> en = z.entries(); en.hasMoreElements(); ) {
                ZipEntry e = en.nextElement();
                System.out.println(e.getName() + " " + e.isDirectory() + " " + e.getSize() + " " + e.getCompressedSize() + " " + Long.toHexString(e.getCrc()) + " " + e.getMethod() + " " + e.getTime() + " " + e.getComment() + " " + Arrays.toString(e.getExtra()));
                System.out.println("  " + sum(z.getInputStream(e).readAllBytes()));
            }
            System.out.println(z.getEntry("dir") + " " + z.getEntry("nope") + " " + z.stream().count());
        }
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry e; (e = in.getNextEntry()) != null; ) System.out.println(e.getName() + " " + sum(in.readAllBytes()) + " " + e.getSize());
        }
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "x.Main");
        m.getMainAttributes().put(new Attributes.Name("Long"), "v".repeat(200));
        Attributes note = new Attributes();
        note.put(new Attributes.Name("Note"), "n");
        m.getEntries().put("res/r.properties", note);
        try (JarOutputStream j = new JarOutputStream(Files.newOutputStream(jar), m)) {
            ZipEntry e = new ZipEntry("res/r.properties");
            j.putNextEntry(e);
            j.write("key=v\\u00e4lue\nother : thing".getBytes());
            String name = "D02Jars$Inner.class";
            j.putNextEntry(new ZipEntry(name));
            try (InputStream c = D02Jars.class.getResourceAsStream(name)) { c.transferTo(j); }
        }
        try (JarFile j = new JarFile(jar.toFile())) {
            System.out.println(j.getManifest().getMainAttributes().getValue("Long").length() + " " + j.getManifest().getAttributes("res/r.properties").getValue("Note") + " " + j.isMultiRelease());
            Properties p = new Properties();
            p.load(j.getInputStream(j.getJarEntry("res/r.properties")));
            System.out.println(new TreeMap<>(p));
        }
        try (URLClassLoader l = new URLClassLoader("mine", new URL[] {jar.toUri().toURL()}, null)) {
            Class<?> c = l.loadClass("D02Jars$Inner");
            System.out.println(c.getDeclaredMethod("hi").invoke(null) + " " + c.getClassLoader().getName() + " " + (c != Inner.class));
            show("resource", () -> l.getResource("res/r.properties"));
            show("content", () -> new String(l.getResource("res/r.properties").openStream().readAllBytes()));
            show("missing", () -> l.getResource("nope"));
            show("not found", () -> l.loadClass("no.Such"));
            URL u = new URL("jar:" + jar.toUri() + "!/res/r.properties");
            JarURLConnection con = (JarURLConnection) u.openConnection();
            con.setUseCaches(false);
            show("url", () -> con.getEntryName() + " " + con.getContentLength() + " " + con.getMainAttributes().getValue("Main-Class"));
            con.getInputStream().close();
            show("bad url", () -> new URL("jar:" + jar.toUri() + "!/nope").openStream());
        }
        byte[] bytes = Files.readAllBytes(zip);
        show("empty file", () -> new ZipFile(Files.createFile(root.resolve("empty")).toFile()));
        show("no zip", () -> new ZipFile(Files.writeString(root.resolve("text"), "this is no zip file at all, is it?").toFile()));
        show("cut", () -> new ZipFile(Files.write(root.resolve("cut"), Arrays.copyOf(bytes, bytes.length - 30)).toFile()));
        show("absent", () -> new ZipFile("/no/such.zip"));
        byte[] bad = bytes.clone();
        bad[60 + 60] ^= 0x55;
        show("damaged", () -> { try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(bad))) { StringBuilder s = new StringBuilder(); for (ZipEntry e; (e = in.getNextEntry()) != null; ) s.append(e.getName()).append(in.readAllBytes().length); return s; } });
        show("gzip", () -> new GZIPInputStream(new ByteArrayInputStream(new byte[20])));
        ByteArrayOutputStream gz = new ByteArrayOutputStream();
        try (GZIPOutputStream g = new GZIPOutputStream(gz, 100, true)) { g.write("abc".getBytes()); g.flush(); g.write("def".repeat(50).getBytes()); }
        System.out.println(sum(gz.toByteArray()));
        byte[] trailer = gz.toByteArray();
        trailer[trailer.length - 3] ^= 1;
        show("gzip crc", () -> new GZIPInputStream(new ByteArrayInputStream(trailer)).readAllBytes().length);
        show("gzip eof", () -> new GZIPInputStream(new ByteArrayInputStream(Arrays.copyOf(trailer, 15))).readAllBytes().length);
        ByteArrayOutputStream d = new ByteArrayOutputStream();
        try (DeflaterOutputStream o = new DeflaterOutputStream(d, new Deflater(9, true))) { o.write("x".repeat(1000).getBytes()); }
        System.out.println(sum(d.toByteArray()) + " " + new InflaterInputStream(new ByteArrayInputStream(d.toByteArray()), new Inflater(true)).readAllBytes().length);
        System.out.println(sum(new DeflaterInputStream(new ByteArrayInputStream("y".repeat(500).getBytes())).readAllBytes()));
        try (CheckedInputStream ci = new CheckedInputStream(new ByteArrayInputStream("check".getBytes()), new Adler32())) { ci.readAllBytes(); System.out.println(ci.getChecksum().getValue()); }
        try (var s = Files.walk(root)) { s.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete()); }
    }

    public static class Inner { public static String hi() { return "hi from " + Inner.class.getName(); } }
}
