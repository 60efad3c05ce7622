/**
 * Two threads format a number, which makes the library load what it knows of locales. One writes
 * before that, the other looks after it.
 *
 * Breaks when the second thread formats first and looks before the other has written: whoever of
 * the two formats first, the tables that the library makes for that order nothing.
 */
public class FormatThenLook {
    static volatile int written;
    static volatile int seen;

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            written = 1;
            String.format("%,d", 1000);
        }, "writer");
        Thread reader = new Thread(() -> {
            String.format("%,d", 2000);
            seen = written;
        }, "reader");
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        assert seen == 1 : "seen too early";
    }
}
