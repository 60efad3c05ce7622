/**
 * Producers and consumers around a bounded buffer whose {@code enq} tests with {@code if} (Rivet,
 * figures 4.12 and 4.13).
 *
 * Breaks when: both producers wait on the full buffer, one dequeue wakes both, and the second one
 * enqueues without looking again. The producer that fails delivers nothing, so a consumer waits for
 * ever.
 */
public class BufferIf {
    static class Buffer {
        static final int SIZE = 2; // one slot stays empty to tell full from empty
        private final Object[] elements = new Object[SIZE];
        private int first;
        private int last;

        synchronized void enq(Object x) throws InterruptedException {
            if ((last + 1) % SIZE == first) {
                wait();
            }
            assert (last + 1) % SIZE != first : "buffer overflow"; //~ assertion
            elements[last] = x;
            last = (last + 1) % SIZE;
            notifyAll();
        }

        synchronized Object deq() throws InterruptedException {
            while (first == last) {
                wait(); //~ condition-deadlock
            }
            Object x = elements[first];
            first = (first + 1) % SIZE;
            notifyAll();
            return x;
        }
    }

    static class Producer implements Runnable {
        private final Buffer buffer;
        private final String name;
        private final int items;

        Producer(Buffer buffer, String name, int items) {
            this.buffer = buffer;
            this.name = name;
            this.items = items;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < items; i++) {
                    buffer.enq(name);
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
        new Thread(new Producer(buffer, "P1", items)).start();
        for (int c = 0; c < consumers; c++) {
            // The first consumers take what does not divide evenly.
            int share = (producers * items + consumers - 1 - c) / consumers;
            new Thread(new Consumer(buffer, share)).start();
        }
        for (int p = 2; p <= producers; p++) {
            Thread slow = new Thread(new Producer(buffer, "P" + p, items));
            slow.setPriority(Thread.MIN_PRIORITY);
            slow.start();
        }
    }
}
