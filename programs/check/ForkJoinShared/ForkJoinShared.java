import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/**
 * Subtasks that add to a shared field.
 *
 * Breaks when: two workers read the total before either writes it.
 */
public class ForkJoinShared {
    static int total;

    static class Add extends RecursiveAction {
        private static final long serialVersionUID = 1;

        private final int from;
        private final int to;

        Add(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from == 1) {
                total += to; //~ race
                return;
            }
            int middle = (from + to) / 2;
            invokeAll(new Add(from, middle), new Add(middle, to));
        }
    }

    public static void main(String[] args) {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.invoke(new Add(0, 2));
        pool.shutdown();
        assert total == 3 : "lost update"; //~ assertion
    }
}
