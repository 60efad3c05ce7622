/**
 * One producer and two consumers without synchronization, for a number of rounds (after jreplay,
 * figure 2).
 *
 * Breaks when: both consumers see one element, one takes it, and the other finds nothing in
 * {@code get}.
 */
public class ProdconsBounded {
    static class Buffer {
        private int buffer;
        private int count;

        boolean notFull() {
            return count < 1; //~ race
        }

        boolean notEmpty() {
            return count > 0; //~ race
        }

        void put(int i) {
            buffer = i; //~ race
            count++; //~ race
        }

        int get() {
            if (!notEmpty()) {
                throw new IllegalStateException("buffer is empty"); //~ exception
            }
            count--; //~ race
            return buffer; //~ race
        }
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        Buffer buffer = new Buffer();
        Thread producer = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                if (buffer.notFull()) {
                    buffer.put(i);
                }
            }
        }, "producer");
        Runnable consume = () -> {
            for (int i = 0; i < rounds; i++) {
                if (buffer.notEmpty()) {
                    buffer.get();
                }
            }
        };
        producer.start();
        new Thread(consume, "consumer-1").start();
        new Thread(consume, "consumer-2").start();
    }
}
