import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * Two threads read from a jar, which the library opens once and keeps for all.
 *
 * Correct: who opens it makes no difference. Only the one that comes later finds it where
 * the library keeps it, so that the two may touch the same file or not, by their order.
 */
public class JarByTwo {
    public static void main(String[] args) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        Path jar = Files.createTempFile("jar", ".jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(file, manifest)) {
            entries.putNextEntry(new JarEntry("text"));
            entries.write('x');
        }
        ClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        Thread one = new Thread(() -> read(loader), "one");
        Thread two = new Thread(() -> read(loader), "two");
        one.start();
        two.start();
        one.join();
        two.join();
    }

    static void read(ClassLoader loader) {
        try (InputStream in = loader.getResourceAsStream("META-INF/MANIFEST.MF")) {
            in.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
