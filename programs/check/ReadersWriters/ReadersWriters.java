/**
 * A hand-made read-write lock on one monitor.
 *
 * Correct: the writer enters only when nobody is in, readers only when no writer is in, and each
 * one who leaves the lock free wakes all that wait.
 */
public class ReadersWriters {
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
        if (readers == 0) {
            notifyAll();
        }
    }

    synchronized void startWrite() throws InterruptedException {
        while (writing || readers > 0) {
            wait();
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
        ReadersWriters data = new ReadersWriters();
        new Thread(data::read, "reader-1").start();
        new Thread(data::read, "reader-2").start();
        new Thread(data::write, "writer").start();
    }
}
