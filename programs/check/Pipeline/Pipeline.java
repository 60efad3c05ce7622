/**
 * Three stages that hand numbers on through one-place cells.
 *
 * Correct: a cell is written only when empty, read only when full, and every change wakes everybody
 * who waits for that cell.
 */
public class Pipeline {
    static class Cell {
        private int value;
        private boolean full;

        synchronized void put(int n) throws InterruptedException {
            while (full) {
                wait();
            }
            value = n;
            full = true;
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (!full) {
                wait();
            }
            full = false;
            notifyAll();
            return value;
        }
    }

    interface Stage {
        void run() throws InterruptedException;
    }

    static void start(String name, Stage stage) {
        new Thread(() -> {
            try {
                stage.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, name).start();
    }

    public static void main(String[] args) {
        int items = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        Cell in = new Cell();
        Cell out = new Cell();
        start("source", () -> {
            for (int i = 0; i < items; i++) {
                in.put(i);
            }
        });
        start("double", () -> {
            for (int i = 0; i < items; i++) {
                out.put(in.take() * 2);
            }
        });
        start("sink", () -> {
            for (int i = 0; i < items; i++) {
                int got = out.take();
                assert got == 2 * i : "out of order";
            }
        });
    }
}
