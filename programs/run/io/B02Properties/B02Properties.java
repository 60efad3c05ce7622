import java.io.*;
import java.util.*;

/** Properties, system properties, environment, resources. */
public class B02Properties {
    public static void main(String[] args) throws IOException {
        Properties p = new Properties(new Properties() {{ setProperty("default", "d"); }});
        p.load(new StringReader("# comment\na=1\nb : two words \\\n   continued\nc\\ d=\\u0041\\t|\n! other\nempty=\nkey"));
        System.out.println(new TreeMap<>(p) + p.getProperty("default") + p.getProperty("none", "fallback") + p.stringPropertyNames().size());
        StringWriter w = new StringWriter();
        new Properties() {{ put("k 1", "v\u00e9=\n"); }}.store(w, "title");
        String[] lines = w.toString().split("\n");
        System.out.println(lines[0] + lines[lines.length - 1]);
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        System.out.println(System.getProperty("user.set") + System.getProperty("user.unset") + System.getProperty("user.empty") + Integer.getInteger("user.number") + Boolean.getBoolean("user.flag"));
        System.setProperty("own", "x");
        System.out.println(System.getProperty("own") + System.clearProperty("own") + System.getProperty("own"));
        System.out.println(System.getProperty("line.separator").length() + System.getProperty("file.separator") + System.getProperty("path.separator") + System.getProperty("java.specification.version") + System.getProperty("java.vm.specification.name") + System.lineSeparator().equals("\n"));
        for (String k : new String[] {"java.version", "java.home", "os.name", "user.dir", "user.name", "java.io.tmpdir", "java.class.path", "file.encoding", "java.vendor", "os.arch", "java.vm.name", "user.home", "java.class.version"}) if (System.getProperty(k) == null) System.out.println("missing " + k);
        System.out.println(System.getenv("PATH") != null && System.getenv().containsKey("PATH") && System.getenv("SURELY_NOT_SET_ANYWHERE") == null);
        try {
            System.getenv().put("x", "y");
        } catch (UnsupportedOperationException e) {
            System.out.println(e);
        }
        try (InputStream in = B02Properties.class.getResourceAsStream("data/hello.txt")) { System.out.println(new String(in.readAllBytes()).trim()); }
        System.out.println(B02Properties.class.getResourceAsStream("/data/none.txt") + " " + ClassLoader.getSystemResource("data/hello.txt").getProtocol());
        System.out.println(B02Properties.class.getResource("data/hello.txt").getPath().endsWith("classes/data/hello.txt") + " " + Collections.list(B02Properties.class.getClassLoader().getResources("data/hello.txt")).size());
        System.out.println(Runtime.version().feature() >= 17);
        System.out.println(Runtime.getRuntime().availableProcessors() > 0 && Runtime.getRuntime().maxMemory() > 0 && Runtime.getRuntime().totalMemory() >= Runtime.getRuntime().freeMemory());
        try {
            System.getProperty("");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
