import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * 32 inodes and 26 blocks with a lock each. Thread t locks inode t mod 32 and, if it is free, looks
 * from block 2i mod 26 on, under each block's lock, for one that is not busy. Collisions begin with
 * n = 14.
 *
 * Correct: inode locks are taken before block locks, one of each at a time, and there are more
 * blocks than are ever needed.
 */
public class Filesystem {
    static final int INODES = 32;
    static final int BLOCKS = 26;

    static final Object[] inodeLock = locks(INODES);
    static final Object[] blockLock = locks(BLOCKS);
    static final AtomicIntegerArray inode = new AtomicIntegerArray(INODES);
    static final AtomicIntegerArray busy = new AtomicIntegerArray(BLOCKS);

    static Object[] locks(int n) {
        Object[] all = new Object[n];
        for (int i = 0; i < n; i++) {
            all[i] = new Object();
        }
        return all;
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 14;
        for (int t = 0; t < n; t++) {
            int i = t % INODES;
            new Thread(() -> allocate(i), "client-" + t).start();
        }
    }

    static void allocate(int i) {
        synchronized (inodeLock[i]) {
            if (inode.get(i) != 0) {
                return;
            }
            int b = i * 2 % BLOCKS;
            while (true) {
                synchronized (blockLock[b]) {
                    if (busy.get(b) == 0) {
                        busy.set(b, 1);
                        inode.set(i, b + 1);
                        return;
                    }
                }
                b = (b + 1) % BLOCKS;
            }
        }
    }
}
