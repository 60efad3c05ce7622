/** Threads that do nothing but meet: all time is in {@code wait} and {@code notifyAll}. */
public class GrandeBarrier {
    public static void main(String[] args) {
        int threads = Integer.parseInt(args[0]);
        Meeting meeting = new Meeting(threads);
        long[] rounds = new long[threads];
        Meeting.run(threads, number -> {
            for (int i = 0; i < 5000; i++) {
                meeting.arrive();
                rounds[number] += i;
            }
        });
        long sum = 0;
        for (long r : rounds) {
            sum += r;
        }
        System.out.println(sum);
    }
}
