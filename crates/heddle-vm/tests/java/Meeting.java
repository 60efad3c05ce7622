import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Threads that lock, wait, allocate, load classes, fill large arrays and throw. */
public class Meeting {
    static final Object lock = new Object();
    static int arrived;
    static volatile int[] board = new int[1000];
    static final Map<String, List<Integer>> said = new HashMap<>();

    static class Late {
        static int[] table = new int[300];
        static {
            for (int i = 0; i < table.length; i++) {
                table[i] = i * i;
            }
        }
    }

    static void attend(int me) {
        synchronized (lock) {
            arrived++;
            said.computeIfAbsent("name" + me, k -> new ArrayList<>()).add(me);
            if (arrived == 3) {
                lock.notifyAll();
            }
            while (arrived < 3) {
                try {
                    lock.wait(50 * me);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
        board[me * 300] += Late.table[me];
        board[999]++;
        try {
            throw new IllegalStateException("end " + me);
        } catch (IllegalStateException e) {
            board[me] = e.getMessage().length();
        }
        Thread.yield();
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            int me = i;
            new Thread(() -> attend(me), "guest-" + i).start();
        }
    }
}
