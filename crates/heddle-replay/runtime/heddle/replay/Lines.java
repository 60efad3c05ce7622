package heddle.replay;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The lines of a file, most of them of one that the instrumenter has put beside the program. */
final class Lines {
    /** Where it puts them, on the class path. */
    private static final String FOLDER = "META-INF/heddle/";

    final byte[] bytes;
    /** The present line, counted from 1, and where it begins and ends. */
    private int number;

    private int start;
    private int end = -1;

    Lines(byte[] bytes) {
        this.bytes = bytes;
    }

    static Lines of(String resource) throws IOException {
        // The class loader would open the JDK's own modules first, which takes long.
        for (String folder : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
            File file = new File(folder, FOLDER + resource);
            if (file.isFile()) {
                return of(file);
            }
        }
        InputStream in = ClassLoader.getSystemResourceAsStream(FOLDER + resource);
        if (in == null) {
            throw new IOException("there is no " + FOLDER + resource + " on the class path");
        }
        return new Lines(read(in));
    }

    static Lines of(File file) throws IOException {
        return new Lines(read(new FileInputStream(file)));
    }

    private static byte[] read(InputStream in) throws IOException {
        try {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] some = new byte[1 << 16];
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                all.write(some, 0, n);
            }
            return all.toByteArray();
        } finally {
            in.close();
        }
    }

    /** Goes to the next line, if there is one. */
    boolean next() {
        int at = end + 1;
        if (at >= bytes.length) {
            return false;
        }
        start = at;
        while (at < bytes.length && bytes[at] != '\n') {
            at++;
        }
        end = at;
        number++;
        return true;
    }

    int number() {
        return number;
    }

    /** The present line, without what ends it. */
    String line() {
        int stop = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
        return text(start, stop - start);
    }

    /** Some bytes as text. */
    String text(int from, int length) {
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    /** The lines from the next one on. */
    List<String> rest() {
        List<String> lines = new ArrayList<String>();
        while (next()) {
            lines.add(line());
        }
        return lines;
    }
}
