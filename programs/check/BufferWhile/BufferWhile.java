/**
 * The bounded buffer as it should be: {@code while} and {@code notifyAll} (JNuke, listing B.34).
 *
 * Correct: whoever wakes up looks again, and every change of the buffer wakes everybody, so no
 * condition that holds goes unnoticed. As many items are taken as are put.
 */
public class BufferWhile {
    static class Buffer {
        static final int SIZE = 2; // one slot stays empty to tell full from empty
        private final Object[] elements = new Object[SIZE];
        private int first;
        private int last;

        synchronized void enq(Object x) throws InterruptedException {
            while ((last + 1) % SIZE == first) {
                wait();
            }
            assert (last + 1) % SIZE != first : "buffer overflow";
            elements[last] = x;
            last = (last + 1) % SIZE;
            notifyAll();
        }

        synchronized Object deq() throws InterruptedException {
            while (first == last) {
                wait();
            }
            Object x = elements[first];
            first = (first + 1) % SIZE;
            notifyAll();
            return x;
        }
    }

    static class Producer implements Runnable {
        private final Buffer buffer;
        private final int items;

        Producer(Buffer buffer, int items) {
            this.buffer = buffer;
            this.items = items;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < items; i++) {
                    buffer.enq(this);
                }
            } catch (InterruptedException e) {
                System.err.println(e);
            }
        }
    }

    static class Consumer implements Runnable {
        private final Buffer buffer;
        private final int items;

        Consumer(Buffer buffer, int items) {
            this.buffer = buffer;
            this.items = items;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < items; i++) {
                    buffer.deq();
                }
            } catch (InterruptedException e) {
                System.err.println(e);
            }
        }
    }

    public static void main(String[] args) {
        int producers = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int consumers = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int items = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Buffer buffer = new Buffer();
        for (int p = 0; p < producers; p++) {
            new Thread(new Producer(buffer, items)).start();
        }
        for (int c = 0; c < consumers; c++) {
            int share = (producers * items + consumers - 1 - c) / consumers;
            new Thread(new Consumer(buffer, share)).start();
        }
    }
}
