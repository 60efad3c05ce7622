import java.util.concurrent.Exchanger;

/**
 * Two threads swap their values.
 *
 * Correct: an exchanger pairs exactly two threads.
 */
public class Exchange {
    public static void main(String[] args) {
        Exchanger<Integer> exchanger = new Exchanger<>();
        for (int i = 0; i < 2; i++) {
            int mine = i;
            new Thread(() -> {
                try {
                    int theirs = exchanger.exchange(mine);
                    assert theirs == 1 - mine : "own value came back";
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, "trader-" + i).start();
        }
    }
}
