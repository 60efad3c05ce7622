package heddle.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.zip.CRC32;

/**
 * What the instrumenter has found out about a schedule: which place, how often, which thread, line by line
 * (`digest.rs`). The schedule itself is the file for people, and whoever changes it need not know of this:
 * it counts only for the text that it was made of. Reading thousands of lines would cost more than the rest
 * of a short replay, all by code that the JVM has yet to compile.
 */
final class Digest {
    /** The kind of a line that is to be read: the numbers say where it begins and how long it is. */
    static final int TEXT = 0;

    private static final int ROW = 4;

    private final Lines lines;
    private final int[] words;
    private int at;

    private Digest(Lines lines, int[] words, int at) {
        this.lines = lines;
        this.words = words;
        this.at = at - ROW;
    }

    /** The digest of this schedule and the table of places, which it adds; null if there is none. */
    static Digest of(Lines lines, Lines table, Places places) throws IOException {
        IntBuffer buffer = ByteBuffer.wrap(Lines.of("digest").bytes).asIntBuffer();
        int[] words = new int[buffer.remaining()];
        buffer.get(words);
        CRC32 sum = new CRC32();
        sum.update(lines.bytes, 0, lines.bytes.length);
        sum.update(table.bytes, 0, table.bytes.length);
        if (words.length < 2 || words[0] != (int) sum.getValue()) {
            return null;
        }
        int at = 2;
        for (int i = 0; i < words[1]; i++, at += 3) {
            places.expect(words[at], words[at + 1], words[at + 2] != 0);
        }
        return new Digest(lines, words, at);
    }

    /** Goes to the next line, if there is one. */
    boolean next() {
        at += ROW;
        return at < words.length;
    }

    /** Counted from 1. */
    int line() {
        return words[at];
    }

    int kind() {
        return words[at + 1];
    }

    int number() {
        return words[at + 2];
    }

    int times() {
        return words[at + 3];
    }

    String text() {
        return lines.text(number(), times());
    }
}
