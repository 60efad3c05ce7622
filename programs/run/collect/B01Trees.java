import java.util.*;

/** TreeMap and TreeSet: navigation, sub-maps, descending views; PriorityQueue; BitSet. */
public class B01Trees {
    public static void main(String[] args) {
        TreeMap<Integer, String> t = new TreeMap<>();
        Random r = new Random(7);
        for (int i = 0; i < 200; i++) t.put(r.nextInt(500), "v" + i);
        for (int i = 0; i < 100; i++) t.remove(r.nextInt(500));
        System.out.println(t.size() + " " + t.firstEntry() + t.lastKey() + " " + t.floorKey(250) + t.ceilingEntry(250) + t.higherKey(251) + t.lowerKey(1));
        System.out.println(t.subMap(100, 150) + " " + t.headMap(20, true).size() + t.tailMap(480).keySet() + t.descendingMap().headMap(470));
        NavigableMap<Integer, String> sub = t.subMap(200, true, 300, false);
        int before = t.size();
        sub.pollFirstEntry();
        sub.clear();
        System.out.println(before - t.size());
        try {
            sub.put(300, "x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        TreeSet<String> s = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Collections.addAll(s, "banana", "Apple", "cherry", "APPLE", "date");
        System.out.println(s + " " + s.contains("BANANA") + s.first() + s.descendingSet() + s.subSet("b", "d") + s.higher("banana") + s.pollLast());
        Iterator<String> d = s.descendingIterator();
        d.next();
        d.remove();
        System.out.println(s);
        PriorityQueue<int[]> q = new PriorityQueue<>(Comparator.comparingInt((int[] a) -> a[0]).thenComparing(a -> -a[1]));
        for (int i = 0; i < 30; i++) q.add(new int[] {i * 7 % 10, i});
        StringBuilder b = new StringBuilder();
        while (!q.isEmpty()) b.append(q.peek()[0]).append(':').append(q.poll()[1]).append(' ');
        System.out.println(b);
        PriorityQueue<Integer> p = new PriorityQueue<>(List.of(5, 1, 4, 2, 3));
        p.remove(4);
        System.out.println(p + " " + p.contains(2));
        BitSet bits = new BitSet();
        bits.set(1, 70, true);
        bits.clear(10, 20);
        bits.flip(65);
        System.out.println(bits + " " + bits.cardinality() + " " + bits.nextClearBit(1) + bits.previousSetBit(64) + bits.length() + Arrays.toString(bits.toLongArray()));
        BitSet other = BitSet.valueOf(new long[] {0xff00ff});
        other.and(bits);
        System.out.println(other + " " + other.intersects(bits) + other.stream().sum());
        ArrayDeque<Integer> dq = new ArrayDeque<>(2);
        for (int i = 0; i < 20; i++) { if (i % 3 == 0) dq.addFirst(i); else dq.addLast(i); if (i % 5 == 4) dq.pollFirst(); }
        dq.removeFirstOccurrence(7);
        System.out.println(dq + " " + dq.peekFirst() + dq.peekLast());
    }
}
