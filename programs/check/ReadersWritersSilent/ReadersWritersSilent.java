/**
 * A hand-made read-write lock whose readers leave in silence.
 *
 * Breaks when: the writer comes while a reader is in; nobody wakes it when the reader leaves.
 */
public class ReadersWritersSilent {
    private int readers;
    private boolean writing;
    private int a;
    private int b;

    synchronized void startRead() throws InterruptedException {
        while (writing) {
            wait();
        }
        readers++;
    }

    synchronized void endRead() {
        readers--;
    }

    synchronized void startWrite() throws InterruptedException {
        while (writing || readers > 0) {
            wait(); //~ condition-deadlock
        }
        writing = true;
    }

    synchronized void endWrite() {
        writing = false;
        notifyAll();
    }

    void read() {
        try {
            startRead();
            assert a == b : "torn read";
            endRead();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void write() {
        try {
            startWrite();
            a++;
            b++;
            endWrite();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        ReadersWritersSilent data = new ReadersWritersSilent();
        new Thread(data::read, "reader").start();
        new Thread(data::write, "writer").start();
    }
}
