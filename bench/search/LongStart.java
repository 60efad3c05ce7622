/**
 * Threads that take turns at a lock, after a start-up of one thread that takes as long as the
 * argument says: how much of it does a schedule pay for?
 */
public class LongStart {
    static final Object lock = new Object();
    static int turns;

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        int[] table = new int[4096];
        for (int i = 0; i < rounds; i++) {
            table[i & 4095] += i;
        }
        for (int i = 0; i < 6; i++) {
            new Thread(() -> {
                for (int turn = 0; turn < 2; turn++) {
                    synchronized (lock) {
                        turns++;
                    }
                }
            }).start();
        }
    }
}
