/**
 * A reader asks for the result again and again, under a lock each time, until it is there.
 *
 * Correct: whoever sees the flag sees the result.
 */
public class PolledGetter {
    private boolean ready;
    private int result;

    synchronized boolean isReady() {
        return ready;
    }

    synchronized void finish() {
        ready = true;
    }

    public static void main(String[] args) throws InterruptedException {
        PolledGetter job = new PolledGetter();
        Thread[] readers = new Thread[2];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = new Thread(() -> {
                while (!job.isReady()) {
                    Thread.yield();
                }
                assert job.result == 42;
            }, "reader-" + i);
            readers[i].start();
        }
        job.result = 42;
        job.finish();
        for (Thread reader : readers) {
            reader.join();
        }
    }
}
