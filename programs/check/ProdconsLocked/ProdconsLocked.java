/**
 * One producer and two consumers, with test and change under one lock.
 *
 * Correct: nobody can empty the buffer between {@code notEmpty} and {@code get}.
 */
public class ProdconsLocked {
    static class Buffer {
        private int buffer;
        private int count;

        synchronized boolean offer(int i) {
            if (count == 1) {
                return false;
            }
            buffer = i;
            count++;
            return true;
        }

        synchronized int poll() {
            if (count == 0) {
                return -1;
            }
            count--;
            return buffer;
        }
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        Buffer buffer = new Buffer();
        Thread producer = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                buffer.offer(i);
            }
        }, "producer");
        Runnable consume = () -> {
            for (int i = 0; i < rounds; i++) {
                int got = buffer.poll();
                assert got >= -1 && got < rounds;
            }
        };
        producer.start();
        new Thread(consume, "consumer-1").start();
        new Thread(consume, "consumer-2").start();
    }
}
