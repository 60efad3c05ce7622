/** Where threads wait for each other: whoever comes last wakes the others. */
final class Meeting {
    private final int threads;
    private int here;
    private int round;

    Meeting(int threads) {
        this.threads = threads;
    }

    synchronized void arrive() {
        int mine = round;
        if (++here == threads) {
            here = 0;
            round++;
            notifyAll();
            return;
        }
        while (mine == round) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Runs the same task in this many threads, each with its number, and waits for their ends. */
    static void run(int threads, java.util.function.IntConsumer task) {
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int number = i;
            all[i] = new Thread(() -> task.accept(number));
            all[i].start();
        }
        for (Thread thread : all) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
