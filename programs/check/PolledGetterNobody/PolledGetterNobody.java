/**
 * A reader asks for the result again and again, under a lock each time, until it is there.
 *
 * Broken: the job is only finished if the reader has not begun to ask yet.
 */
public class PolledGetterNobody {
    private boolean asked;
    private boolean ready;

    synchronized boolean isReady() {
        asked = true;
        return ready;
    }

    synchronized void finish() {
        if (!asked) {
            ready = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        PolledGetterNobody job = new PolledGetterNobody();
        Thread reader = new Thread(() -> {
            while (!job.isReady()) {
                Thread.yield();
            }
        }, "reader");
        reader.start();
        job.finish();
        reader.join();
    }
}
