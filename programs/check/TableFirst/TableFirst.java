/**
 * Works for long by itself before it starts its threads: a hundred million bytecodes and more,
 * which is no livelock and which no schedule has to repeat.
 */
public class TableFirst {
    static int sum;

    static synchronized void add(int[] table, int from) {
        for (int i = from; i < from + 4; i++) {
            sum += table[i];
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int[] table = new int[1024];
        for (int i = 0; i < 12_000_000; i++) {
            table[i & 1023] += i & 3;
        }
        Thread a = new Thread(() -> add(table, 0));
        Thread b = new Thread(() -> add(table, 4));
        a.start();
        b.start();
        a.join();
        b.join();
        assert sum == table[0] + table[1] + table[2] + table[3] + table[4] + table[5] + table[6] + table[7];
    }
}
