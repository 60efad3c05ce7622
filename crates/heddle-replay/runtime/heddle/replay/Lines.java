package heddle.replay;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lines of a file beside the program, one after the other. A schedule that was captured has thousands,
 * most of which differ from an earlier one in a number at their end; what costs time in a short replay is
 * to read them, by code that the JVM has yet to compile. So there is one loop over the bytes, and a line
 * becomes text only when somebody asks for it.
 */
final class Lines {
    /** Where the instrumenter puts its files, on the class path. */
    private static final String FOLDER = "META-INF/heddle/";

    private final byte[] text;
    /** The present line, counted from 1, and where it begins and ends. */
    private int number;

    private int start;
    private int end = -1;
    /** Where its last word begins and ends; both 0 where that cannot be told. Comments are no words. */
    private int word;

    private int wordEnd;
    /** Of what is in front of that word. */
    private int hash;

    private final Map<Integer, Remembered> remembered = new HashMap<Integer, Remembered>();

    Lines(byte[] text) {
        this.text = text;
    }

    /** The lines of a file that the instrumenter has written. */
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
        return new Lines(bytes(in));
    }

    static Lines of(File file) throws IOException {
        return new Lines(bytes(new FileInputStream(file)));
    }

    private static byte[] bytes(InputStream in) throws IOException {
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
        byte[] text = this.text;
        int at = end + 1;
        if (at >= text.length) {
            return false;
        }
        start = at;
        word = 0;
        wordEnd = 0;
        int all = 0;
        boolean between = true;
        byte b = ' ';
        for (; at < text.length && (b = text[at]) != '\n' && b != '#' && b != '"'; at++) {
            if (b == ' ') {
                between = true;
            } else {
                if (between) {
                    between = false;
                    word = at;
                    hash = all;
                }
                wordEnd = at + 1;
            }
            all = 31 * all + b;
        }
        if (b == '"') {
            word = 0;
            wordEnd = 0;
        }
        while (at < text.length && text[at] != '\n') {
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
        int stop = end > start && text[end - 1] == '\r' ? end - 1 : end;
        return text(start, stop);
    }

    /** The lines from the next one on. */
    List<String> rest() {
        List<String> lines = new ArrayList<String>();
        while (next()) {
            lines.add(line());
        }
        return lines;
    }

    /** The last word of the line, if it is a number of a few digits; else -1. */
    int last() {
        int digits = wordEnd - word;
        if (digits < 1 || digits > 9) {
            return -1;
        }
        int value = 0;
        for (int i = word; i < wordEnd; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = 10 * value + digit;
        }
        return value;
    }

    /** What was remembered of a line that is the same up to its last word, or null. */
    Object earlier() {
        Remembered found = remembered.get(hash);
        if (found == null || found.word - found.start != word - start) {
            return null;
        }
        for (int i = found.start, j = start; j < word; i++, j++) {
            if (text[i] != text[j]) {
                return null;
            }
        }
        return found.what;
    }

    /** Remembers something of this line. */
    void remember(Object what) {
        if (last() >= 0) {
            remembered.put(hash, new Remembered(start, word, what));
        }
    }

    private String text(int from, int to) {
        return new String(text, from, to - from, java.nio.charset.StandardCharsets.UTF_8);
    }

    private static final class Remembered {
        final int start;
        final int word;
        final Object what;

        Remembered(int start, int word, Object what) {
            this.start = start;
            this.word = word;
            this.what = what;
        }
    }
}
