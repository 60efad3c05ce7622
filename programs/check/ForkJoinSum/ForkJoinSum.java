import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/**
 * Subtasks that return their sums.
 *
 * Correct: nothing is shared but the tasks themselves; join orders their results.
 */
public class ForkJoinSum {
    static class Sum extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;

        private final int from;
        private final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from == 1) {
                return to;
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(from, middle);
            left.fork();
            return new Sum(middle, to).compute() + left.join();
        }
    }

    public static void main(String[] args) {
        ForkJoinPool pool = new ForkJoinPool(2);
        int total = pool.invoke(new Sum(0, 2));
        pool.shutdown();
        assert total == 3;
    }
}
