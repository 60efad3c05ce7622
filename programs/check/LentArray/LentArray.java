/**
 * A buffer of characters that is used again while a string is made of it.
 *
 * Breaks when: the writer begins its next word before the string is made; nothing orders the two.
 */
public class LentArray {
    static final char[] buffer = {'o', 'n', 'e'};

    public static void main(String[] args) {
        Thread writer = new Thread(() -> buffer[0] = 't', "writer"); //~ race
        writer.start();
        String word = new String(buffer); //~ race
        assert word.length() == 3;
    }
}
