import java.io.*;
import java.net.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.util.*;

/** Properties, environment, locale, zones, resources of the JDK. */
public class D03Host {
    interface Act { Object run() throws Exception; }
    static void show(String what, Act act) {
        try { System.out.println(what + ": " + act.run()); } catch (Throwable t) { System.out.println(what + ": " + t); }
    }
    public static void main(String[] args) throws Exception {
        Set<String> own = Set.of("java.vm.info", "java.vm.compressedOopsMode", "sun.management.compiler", "java.class.path", "sun.java.command", "jdk.debug");
        TreeMap<Object, Object> all = new TreeMap<>(System.getProperties());
        all.keySet().removeAll(own);
        all.forEach((k, v) -> System.out.println(k + "=" + v.toString().replace("\n", "\\n")));
        System.out.println(System.getenv("PATH").equals(new ProcessBuilder().environment().get("PATH")) + " " + System.getenv("NO_SUCH_VARIABLE_X") + " " + System.getenv().containsKey("PATH"));
        show("env put", () -> System.getenv().put("a", "b"));
        System.out.println(Locale.getDefault() + " " + Charset.defaultCharset() + " " + TimeZone.getDefault().getID() + " " + java.time.ZoneId.systemDefault());
        System.out.println(new Date(0) + " " + System.lineSeparator().length() + " " + File.pathSeparator);
        show("sec", () -> new java.security.SecureRandom().generateSeed(4).length + " " + new java.security.SecureRandom().getAlgorithm());
        show("uuid", () -> UUID.randomUUID().version());
        show("console", () -> System.console());
        show("jrt", () -> ClassLoader.getSystemResource("java/lang/Object.class"));
        show("jrt bytes", () -> { try (InputStream in = ClassLoader.getSystemResourceAsStream("java/lang/Object.class")) { return Integer.toHexString(new DataInputStream(in).readInt()); } });
        show("jrt fs", () -> Files.size(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base/java/lang/Object.class")) > 100);
        show("jrt url", () -> new URL("jrt:/java.base/java/lang/String.class").openStream().readNBytes(4)[0]);
        show("jrt list", () -> { try (var s = Files.list(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base/java/util/zip"))) { return s.count(); } });
        show("module resource", () -> Object.class.getModule().getResourceAsStream("java/lang/Object.class") != null);
        show("file url", () -> { Path p = Files.createTempFile("d03", "x y"); Files.writeString(p, "content"); URLConnection c = p.toUri().toURL().openConnection(); String s = c.getContentLength() + new String(c.getInputStream().readAllBytes()) + c.getContentType(); Files.delete(p); return s; });
        show("pid", () -> ProcessHandle.current().pid() > 0 && ProcessHandle.current().isAlive());
        show("user", () -> ProcessHandle.current().info().user().get().equals(System.getProperty("user.name")));
        show("inet", () -> InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        show("inet6", () -> InetAddress.getByName("::1"));
        show("uri", () -> new URI("http://user@host:80/p/a?q=1#f").getPort());
        for (String name : List.of("UTF-8", "UTF-16", "UTF-32", "ISO-8859-15", "windows-1252", "Shift_JIS", "EUC-JP", "Big5", "GBK", "GB18030", "KOI8-R", "IBM437", "ISO-2022-JP", "x-MacRoman", "EUC-KR", "TIS-620")) {
            show(name, () -> { byte[] b = "aé€日本語Привет한".getBytes(name); return b.length + " " + Arrays.hashCode(b) + " " + new String(b, name); });
        }
        show("charsets", () -> Charset.availableCharsets().size());
        show("unknown", () -> Charset.forName("no-such"));
    }
}
