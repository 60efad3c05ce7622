import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Concurrent structures by hand: Treiber stack, Michael-Scott queue, hand-over-hand list, striped map. */
public class C02Structures {
    static class TreiberStack<T> {
        private record Node<T>(T item, Node<T> next) {}
        final AtomicReference<Node<T>> top = new AtomicReference<>();
        void push(T t) { Node<T> n; do n = new Node<>(t, top.get()); while (!top.compareAndSet(n.next(), n)); }
        T pop() { Node<T> n; do { n = top.get(); if (n == null) return null; } while (!top.compareAndSet(n, n.next())); return n.item(); }
    }
    static class MsQueue<T> {
        private static class Node<T> { final T item; final AtomicReference<Node<T>> next = new AtomicReference<>(); Node(T t) { item = t; } }
        final AtomicReference<Node<T>> head, tail;
        MsQueue() { Node<T> d = new Node<>(null); head = new AtomicReference<>(d); tail = new AtomicReference<>(d); }
        void add(T t) {
            Node<T> n = new Node<>(t);
            while (true) {
                Node<T> last = tail.get(), next = last.next.get();
                if (next != null) tail.compareAndSet(last, next);
                else if (last.next.compareAndSet(null, n)) { tail.compareAndSet(last, n); return; }
            }
        }
        T poll() {
            while (true) {
                Node<T> h = head.get(), l = tail.get(), n = h.next.get();
                if (n == null) return null;
                if (h == l) tail.compareAndSet(l, n);
                else if (head.compareAndSet(h, n)) return n.item;
            }
        }
    }
    static class SortedList {
        private static class Node { final int key; Node next; final Lock lock = new ReentrantLock(); Node(int k, Node n) { key = k; next = n; } }
        final Node head = new Node(Integer.MIN_VALUE, new Node(Integer.MAX_VALUE, null));
        boolean change(int key, boolean insert) {
            Node p = head;
            p.lock.lock();
            Node c = p.next;
            c.lock.lock();
            try {
                while (c.key < key) { p.lock.unlock(); p = c; c = c.next; c.lock.lock(); }
                if (insert == (c.key == key)) return false;
                p.next = insert ? new Node(key, c) : c.next;
                return true;
            } finally {
                c.lock.unlock();
                p.lock.unlock();
            }
        }
        List<Integer> keys() { List<Integer> l = new ArrayList<>(); for (Node n = head.next; n.key != Integer.MAX_VALUE; n = n.next) l.add(n.key); return l; }
    }
    static class Striped {
        final Object[] locks = new Object[4];
        final Map<Integer, Integer>[] maps = new Map[4];
        Striped() { for (int i = 0; i < 4; i++) { locks[i] = new Object(); maps[i] = new TreeMap<>(); } }
        void add(int k, int d) { int i = k & 3; synchronized (locks[i]) { maps[i].merge(k, d, Integer::sum); } }
    }

    static void parallel(int n, java.util.function.IntConsumer f) throws InterruptedException {
        Thread[] all = new Thread[n];
        for (int i = 0; i < n; i++) { int id = i; all[i] = new Thread(() -> f.accept(id)); all[i].start(); }
        for (Thread t : all) t.join();
    }

    public static void main(String[] args) throws Exception {
        TreiberStack<Integer> st = new TreiberStack<>();
        AtomicLong popped = new AtomicLong();
        parallel(4, id -> { for (int i = 1; i <= 200; i++) { st.push(i); if (i % 2 == 0) { Integer v = st.pop(); if (v != null) popped.addAndGet(v); } } });
        for (Integer v; (v = st.pop()) != null;) popped.addAndGet(v);
        System.out.println(popped);
        MsQueue<Integer> q = new MsQueue<>();
        AtomicLong polled = new AtomicLong();
        AtomicInteger count = new AtomicInteger();
        parallel(4, id -> { for (int i = 0; i < 200; i++) { if (id < 2) q.add(i); else { Integer v = q.poll(); if (v != null) { polled.addAndGet(v); count.incrementAndGet(); } else Thread.yield(); } } });
        for (Integer v; (v = q.poll()) != null; count.incrementAndGet()) polled.addAndGet(v);
        System.out.println(polled + " " + count);
        SortedList l = new SortedList();
        parallel(3, id -> { for (int i = 0; i < 60; i++) l.change((i * 7 + id) % 60, true); for (int i = id; i < 60; i += 3) if (i % 2 == 0) l.change(i, false); });
        List<Integer> keys = l.keys();
        boolean sorted = true;
        for (int i = 1; i < keys.size(); i++) sorted &= keys.get(i - 1) < keys.get(i);
        for (int i = 0; i < 60; i++) l.change(i, true);
        System.out.println(sorted + " " + l.keys().size() + keys.containsAll(List.of(1, 3, 5)));
        Striped m = new Striped();
        parallel(4, id -> { for (int i = 0; i < 100; i++) m.add(i % 10, id + 1); });
        System.out.println(Arrays.toString(m.maps));
        AtomicInteger ticket = new AtomicInteger(), serving = new AtomicInteger();
        int[] n = {0};
        parallel(3, id -> { for (int i = 0; i < 100; i++) { int t = ticket.getAndIncrement(); while (serving.get() != t) Thread.yield(); n[0]++; serving.incrementAndGet(); } });
        System.out.println(n[0]);
    }
}
