/**
 * A buffer of characters that is used again once a string was made of it.
 *
 * Correct: the writer is started then.
 */
public class LentArrayLater {
    static final char[] buffer = {'o', 'n', 'e'};

    public static void main(String[] args) {
        Thread writer = new Thread(() -> buffer[0] = 't', "writer");
        String word = new String(buffer);
        writer.start();
        assert word.length() == 3;
    }
}
