import java.util.*;

/** A discrete-event simulation of a bank with tellers: priority queue, polymorphic events, statistics. */
public class C03Events {
    static abstract class Event implements Comparable<Event> {
        static long made;
        final double at;
        final long id = made++;
        Event(double at) { this.at = at; }
        abstract void run(Sim s);
        public int compareTo(Event o) { int c = Double.compare(at, o.at); return c != 0 ? c : Long.compare(id, o.id); }
    }
    static class Arrival extends Event {
        final int customer;
        Arrival(double at, int c) { super(at); customer = c; }
        void run(Sim s) {
            s.queue.add(customer);
            s.arrived.put(customer, at);
            if (customer < s.limit) s.schedule(new Arrival(at + s.random.nextInt(10) / 4.0, customer + 1));
            s.serve(at);
        }
    }
    static class Done extends Event {
        final int teller, customer;
        Done(double at, int t, int c) { super(at); teller = t; customer = c; }
        void run(Sim s) {
            s.free.add(teller);
            s.finished++;
            s.stay.accept(at - s.arrived.remove(customer));
            s.serve(at);
        }
    }
    static class Sim {
        final PriorityQueue<Event> events = new PriorityQueue<>();
        final Deque<Integer> queue = new ArrayDeque<>();
        final TreeSet<Integer> free = new TreeSet<>();
        final Map<Integer, Double> arrived = new HashMap<>();
        final DoubleSummaryStatistics stay = new DoubleSummaryStatistics();
        final Random random;
        final int limit;
        int finished, longest;
        Sim(int tellers, int limit, long seed) { for (int i = 0; i < tellers; i++) free.add(i); this.limit = limit; random = new Random(seed); }
        void schedule(Event e) { events.add(e); }
        void serve(double now) {
            longest = Math.max(longest, queue.size());
            while (!queue.isEmpty() && !free.isEmpty()) {
                int t = free.pollFirst();
                schedule(new Done(now + 1 + random.nextInt(12) / 2.0 + t * 0.25, t, queue.poll()));
            }
        }
        void run() {
            double last = 0;
            while (!events.isEmpty()) {
                Event e = events.poll();
                if (e.at < last) throw new AssertionError("time runs backwards");
                last = e.at;
                e.run(this);
            }
        }
    }

    public static void main(String[] args) {
        for (int tellers = 1; tellers <= 5; tellers++) {
            Sim s = new Sim(tellers, 200, 99);
            s.schedule(new Arrival(0, 1));
            s.run();
            System.out.printf(Locale.ROOT, "%d tellers: %d served, longest queue %d, stay %.3f (max %.2f) %s%n", tellers, s.finished, s.longest, s.stay.getAverage(), s.stay.getMax(), s.arrived);
        }
    }
}
