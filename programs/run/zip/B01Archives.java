import java.io.*;
import java.util.*;
import java.util.jar.*;
import java.util.zip.*;

/** gzip, zip and jar streams; ZipFile on disk; manifests. */
public class B01Archives {
    public static void main(String[] args) throws Exception {
        String text = "The rain in Spain stays mainly in the plain. ".repeat(50);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream g = new GZIPOutputStream(bytes)) { g.write(text.getBytes()); }
        System.out.println((bytes.size() < 200) + " " + new String(new GZIPInputStream(new ByteArrayInputStream(bytes.toByteArray())).readAllBytes()).equals(text));
        byte[] broken = bytes.toByteArray();
        broken[broken.length - 6] ^= 1;
        try {
            new GZIPInputStream(new ByteArrayInputStream(broken)).readAllBytes();
        } catch (ZipException e) {
            System.out.println(e.getMessage());
        }
        try {
            new GZIPInputStream(new ByteArrayInputStream("nope".getBytes()));
        } catch (IOException e) {
            System.out.println(e.getClass().getSimpleName() + e.getMessage());
        }
        bytes.reset();
        try (ZipOutputStream z = new ZipOutputStream(bytes)) {
            z.setComment("a comment");
            ZipEntry e = new ZipEntry("dir/a.txt");
            e.setTime(1_000_000_000_000L);
            e.setComment("entry");
            z.putNextEntry(e);
            z.write(text.getBytes());
            z.closeEntry();
            ZipEntry s = new ZipEntry("stored");
            s.setMethod(ZipEntry.STORED);
            s.setSize(3);
            CRC32 c = new CRC32();
            c.update("abc".getBytes());
            s.setCrc(c.getValue());
            z.putNextEntry(s);
            z.write("abc".getBytes());
            z.putNextEntry(new ZipEntry("empty/"));
            try {
                z.putNextEntry(new ZipEntry("stored"));
            } catch (ZipException x) {
                System.out.println(x.getMessage());
            }
        }
        try (ZipInputStream z = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            for (ZipEntry e; (e = z.getNextEntry()) != null;) System.out.println(e.getName() + " " + e.isDirectory() + " " + z.readAllBytes().length + " " + e.getMethod());
        }
        File f = new File("test.zip");
        try (OutputStream o = new FileOutputStream(f)) { bytes.writeTo(o); }
        try (ZipFile z = new ZipFile(f)) {
            System.out.println(z.size() + z.getComment() + z.getEntry("none"));
            z.stream().map(e -> e.getName() + e.getSize() + ":" + e.getCrc()).forEach(System.out::println);
            System.out.println(new String(z.getInputStream(z.getEntry("stored")).readAllBytes()) + z.getEntry("dir/a.txt").getComment());
        }
        try (java.nio.file.FileSystem fs = java.nio.file.FileSystems.newFileSystem(f.toPath())) {
            System.out.println(java.nio.file.Files.readString(fs.getPath("stored")) + java.nio.file.Files.size(fs.getPath("dir/a.txt")));
        }
        f.delete();
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "x.Y");
        m.getMainAttributes().putValue("Long-Value", "v".repeat(100));
        m.getEntries().put("sec/", new Attributes());
        m.getAttributes("sec/").putValue("Sealed", "true");
        bytes.reset();
        try (JarOutputStream j = new JarOutputStream(bytes, m)) {
            j.putNextEntry(new JarEntry("A.class"));
            j.write(1);
        }
        try (JarInputStream j = new JarInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            System.out.println(j.getManifest().equals(m) + j.getManifest().getMainAttributes().getValue("main-class") + j.getNextJarEntry().getName());
        }
        ByteArrayOutputStream mo = new ByteArrayOutputStream();
        m.write(mo);
        System.out.println(mo.toString().replace("\r\n", "$"));
        CheckedInputStream ci = new CheckedInputStream(new ByteArrayInputStream(text.getBytes()), new Adler32());
        ci.readAllBytes();
        System.out.println(ci.getChecksum().getValue());
        System.out.println(new InflaterInputStream(new DeflaterInputStream(new ByteArrayInputStream("through".getBytes()))).readAllBytes().length);
    }
}
