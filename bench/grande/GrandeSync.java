/** Threads that call one synchronized method. */
public class GrandeSync {
    private long sum;

    private synchronized void add(int i) {
        sum += i;
    }

    public static void main(String[] args) {
        int threads = Integer.parseInt(args[0]);
        GrandeSync shared = new GrandeSync();
        int calls = 8_000_000 / threads;
        Meeting.run(threads, number -> {
            for (int i = 0; i < calls; i++) {
                shared.add(i & number);
            }
        });
        System.out.println(shared.sum);
    }
}
