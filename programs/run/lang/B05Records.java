import java.util.*;

/** Records: canonical and compact constructors, equals, hashCode, toString, nesting. */
public class B05Records {
    record Point(int x, int y) {
        static final Point ORIGIN = new Point(0, 0);
        Point { if (x < 0) throw new IllegalArgumentException("x < 0: " + x); }
        Point(int both) { this(both, both); }
        double length() { return Math.sqrt(x * x + y * y); }
    }
    record Pair<A, B>(A first, B second) implements Comparable<Pair<A, B>> {
        public int compareTo(Pair<A, B> o) { return first.toString().compareTo(o.first.toString()); }
    }
    record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, String t, int[] a) {
        @Override public int[] a() { return a.clone(); }
    }
    record Empty() {}
    record Varargs(String... parts) { String join() { return String.join("/", parts); } }

    public static void main(String[] args) {
        Point p = new Point(3, 4);
        System.out.println(p + " " + p.x() + p.y() + " " + p.length() + " " + p.hashCode() + " " + p.equals(new Point(3, 4)) + new Point(7));
        try {
            new Point(-1, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Pair<String, Point> pair = new Pair<>("k", p);
        System.out.println(pair + " " + pair.equals(new Pair<>("k", new Point(3, 4))) + " " + pair.equals(null) + " " + (pair.hashCode() == new Pair<>("k", p).hashCode()));
        int[] data = {1};
        All a = new All(true, (byte) -1, 'q', (short) 300, 1, 2L, Float.NaN, -0.0, "t", data);
        System.out.println(a.toString().replaceAll("\\[I@[0-9a-f]+", "[I@?"));
        System.out.println(a.equals(new All(true, (byte) -1, 'q', (short) 300, 1, 2L, Float.NaN, -0.0, "t", data)));
        System.out.println(a.equals(new All(true, (byte) -1, 'q', (short) 300, 1, 2L, Float.NaN, 0.0, "t", data)));
        System.out.println(new Empty() + " " + new Empty().equals(new Empty()) + " " + new Empty().hashCode());
        System.out.println(new Varargs("a", "b").join());
        TreeSet<Pair<Integer, String>> set = new TreeSet<>(List.of(new Pair<>(2, "b"), new Pair<>(1, "a")));
        System.out.println(set);
        System.out.println(new Pair<>(null, null) + " " + new Pair<>(null, null).hashCode());
        record Local(int n) { Local next() { return new Local(n + 1); } }
        System.out.println(new Local(1).next().next());
        Map<Point, String> map = new HashMap<>();
        map.put(Point.ORIGIN, "origin");
        System.out.println(map.get(new Point(0)));
    }
}
