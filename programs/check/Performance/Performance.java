/**
 * Threads that take every lock once and do nothing else (Rivet, figure 4.1): it measures how the
 * number of schedules grows.
 *
 * Correct: locks are never nested and no data is shared after the start.
 */
public class Performance implements Runnable {
    static class Lock {
    }

    static Lock[] locks;
    static int numThreads;
    static int numLocks;

    public static void main(String[] args) {
        if (args.length != 2) {
            System.err.println("Arguments: <threads> <locks per thread>");
            return;
        }
        numThreads = Integer.parseInt(args[0]);
        numLocks = Integer.parseInt(args[1]);
        locks = new Lock[numLocks];
        for (int i = 0; i < numLocks; i++) {
            locks[i] = new Lock();
        }
        for (int i = 0; i < numThreads; i++) {
            new Performance();
        }
    }

    Performance() {
        new Thread(this).start();
    }

    @Override
    public void run() {
        for (int i = 0; i < numLocks; i++) {
            synchronized (locks[i]) {
            }
        }
    }
}
