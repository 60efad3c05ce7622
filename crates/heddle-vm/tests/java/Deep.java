/** Threads that go up and down their stacks: returns, exceptions, monitors, natives that call back. */
public class Deep {
    static volatile int seen;
    static volatile int told;

    static int down(int level, int kept) {
        if (level == 0) {
            return kept;
        }
        if (level % 7 == 0) {
            try {
                fall(level / 3, kept);
            } catch (IllegalStateException e) {
                told++;
            }
        }
        if (level % 5 == 0) {
            synchronized (Deep.class) {
                return down(level - 1, kept + seen) + 1;
            }
        }
        int below = down(level - 1, kept + seen);
        // What came back is written into a frame that has rested for long.
        kept += below + told;
        return kept;
    }

    static void fall(int level, int kept) {
        int here = seen + kept;
        if (level == 0) {
            throw new IllegalStateException();
        }
        fall(level - 1, here + level);
    }

    public static void main(String[] args) throws Exception {
        Runnable both = () -> {
            for (int depth = 3; depth < 60; depth += 8) {
                seen = down(depth, depth) & 7;
            }
        };
        Thread a = new Thread(both);
        Thread b = new Thread(both);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}

/** A thread that only goes down, with an operation at each level. */
class Straight {
    static volatile int seen;

    static int down(int level) {
        return seen == 1 ? level : down(level + 1);
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> down(0));
        a.start();
        a.join();
    }
}
