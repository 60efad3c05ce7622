/**
 * Twelve threads, each of which marks its own slot; the last one counts those of the first as well.
 *
 * Broken: nothing orders what the first and the last thread do to slot 0. The others have no part in it.
 */
public class RaceInCrowd {
    static final int CROWD = 12;
    static final int[] slots = new int[CROWD];

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[CROWD];
        for (int i = 0; i < CROWD; i++) {
            int own = i;
            threads[i] = new Thread(() -> mark(own), "marker-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void mark(int own) {
        slots[own]++; //~ race
        if (own == CROWD - 1) {
            slots[own] += slots[0]; //~ race
        }
    }
}
