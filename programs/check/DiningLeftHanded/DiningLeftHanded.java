/**
 * Dining philosophers, the last of them left-handed.
 *
 * Correct: forks are numbered and everybody takes the one with the smaller number first, so there
 * can be no circle of waiting; a release wakes everybody who waits for that fork.
 */
public class DiningLeftHanded {
    static class Fork {
        private Philosopher owner;

        synchronized void acquire(Philosopher p) throws InterruptedException {
            while (owner != null) {
                wait();
            }
            owner = p;
        }

        synchronized void release() {
            owner = null;
            notifyAll();
        }
    }

    static class Philosopher extends Thread {
        private final Fork first;
        private final Fork second;
        private final int rounds;

        Philosopher(String name, int rounds, Fork left, Fork right, boolean takeRightFirst) {
            super(name);
            this.first = takeRightFirst ? right : left;
            this.second = takeRightFirst ? left : right;
            this.rounds = rounds;
        }

        @Override
        public void run() {
            for (int i = 0; i < rounds; i++) {
                try {
                    first.acquire(this);
                    second.acquire(this);
                    second.release();
                    first.release();
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Fork[] forks = new Fork[n];
        for (int i = 0; i < n; i++) {
            forks[i] = new Fork();
        }
        Philosopher[] table = new Philosopher[n];
        for (int i = 0; i < n; i++) {
            table[i] = new Philosopher(
                    "philosopher-" + i, rounds, forks[i], forks[(i + 1) % n], i == n - 1);
        }
        for (int i = 0; i < n - 1; i++) {
            table[i].start();
        }
        table[n - 1].run();
    }
}
