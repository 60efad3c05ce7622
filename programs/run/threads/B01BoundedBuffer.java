import java.util.*;

/** Producers and consumers on a hand-written bounded buffer. */
public class B01BoundedBuffer {
    static class Buffer<T> {
        private final Object[] items;
        private int head, size;
        Buffer(int n) { items = new Object[n]; }
        synchronized void put(T t) throws InterruptedException {
            while (size == items.length) wait();
            items[(head + size++) % items.length] = t;
            notifyAll();
        }
        @SuppressWarnings("unchecked") synchronized T take() throws InterruptedException {
            while (size == 0) wait();
            T t = (T) items[head];
            items[head] = null;
            head = (head + 1) % items.length;
            size--;
            notifyAll();
            return t;
        }
    }

    public static void main(String[] args) throws Exception {
        Buffer<Integer> b = new Buffer<>(3);
        int producers = 3, consumers = 2, each = 200;
        long[] sums = new long[consumers];
        int[] counts = new int[consumers];
        List<Thread> all = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            int id = p;
            all.add(new Thread(() -> { try { for (int i = 0; i < each; i++) b.put(id * each + i); } catch (InterruptedException e) { throw new AssertionError(e); } }));
        }
        for (int c = 0; c < consumers; c++) {
            int id = c;
            all.add(new Thread(() -> {
                try {
                    for (int v; (v = b.take()) >= 0; counts[id]++) sums[id] += v;
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        for (Thread t : all) t.start();
        for (int i = 0; i < producers; i++) all.get(i).join();
        for (int i = 0; i < consumers; i++) b.put(-1);
        for (Thread t : all) t.join();
        System.out.println(sums[0] + sums[1] + " " + (counts[0] + counts[1]));
    }
}
