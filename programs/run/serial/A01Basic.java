import java.io.*;
import java.util.*;

/** Serialization round trips: graphs, transient fields, collections, arrays, cycles. */
public class A01Basic {
    static class Node implements Serializable {
        private static final long serialVersionUID = 1;
        String name;
        Node next;
        List<Node> children = new ArrayList<>();
        transient int cache = 5;
        static int shared = 3;
        int[] numbers = {1, 2, 3};
        double[][] grid = {{1.5}, {}};
        Node(String n) { name = n; }
    }
    static class Base { int b = 1; Base() { b = 2; System.out.println("Base()"); } }
    static class Derived extends Base implements Serializable { int d = 4; Derived() { b = 10; d = 20; } }
    enum Color { RED, GREEN }
    record Point(int x, Object y) implements Serializable { Point { if (x < 0) throw new IllegalArgumentException("x"); } }

    @SuppressWarnings("unchecked")
    static <T> T copy(T t) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        try (ObjectOutputStream o = new ObjectOutputStream(b)) { o.writeObject(t); }
        try (ObjectInputStream i = new ObjectInputStream(new ByteArrayInputStream(b.toByteArray()))) { return (T) i.readObject(); }
    }

    public static void main(String[] args) throws Exception {
        Node a = new Node("a"), b = new Node("b");
        a.next = b;
        b.next = a;
        a.children.add(b);
        a.children.add(b);
        a.cache = 77;
        Node c = copy(a);
        System.out.println(c.name + c.next.name + (c.next.next == c) + (c.children.get(0) == c.children.get(1)) + (c.children.get(0) == c.next) + c.cache + Arrays.toString(c.numbers) + Arrays.deepToString(c.grid));
        Derived d = copy(new Derived());
        System.out.println(d.b + " " + d.d);
        System.out.println((copy(Color.GREEN) == Color.GREEN) + " " + copy(new Point(3, "y")) + copy(new Point(1, Color.RED)).equals(new Point(1, Color.RED)));
        System.out.println(copy(new HashMap<>(Map.of("k", List.of(1, 2)))) + "" + copy(new TreeMap<>(Map.of(2, "b", 1, "a"))) + copy(new LinkedHashSet<>(List.of(3, 1))) + copy(List.of(1, 2)) + copy(new ArrayDeque<>(List.of(9))) + copy(new PriorityQueue<>(List.of(3, 1, 2))) + copy(EnumSet.of(Color.RED)) + copy(new BitSet()) + copy(Optional.class).getSimpleName());
        System.out.println(copy("string") + copy(5) + copy('c') + copy(1.5) + copy(new java.math.BigInteger("99999999999999999999")) + copy(new java.math.BigDecimal("1.50")) + copy(java.time.LocalDate.of(2020, 1, 1)) + copy(java.time.Duration.ofHours(3)) + copy(Locale.US) + copy(new Date(0).getTime()) + copy(UUID.nameUUIDFromBytes(new byte[1])) + copy(new StringBuilder("sb")) + copy(int[].class));
        try {
            copy(new Object[] {1, new Object()});
        } catch (NotSerializableException e) {
            System.out.println(e.getMessage());
        }
        Exception e = copy(new IllegalStateException("kept", new IOException("cause")));
        System.out.println(e + " " + e.getCause() + e.getStackTrace()[0].getMethodName());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ObjectOutputStream o = new ObjectOutputStream(out);
        o.writeInt(5);
        o.writeUTF("utf");
        o.writeObject(null);
        o.writeUnshared(new int[] {1});
        o.reset();
        o.writeObject("again");
        o.flush();
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()));
        System.out.println(in.readInt() + in.readUTF() + in.readObject() + ((int[]) in.readUnshared()).length + in.readObject());
        try {
            in.readObject();
        } catch (EOFException x) {
            System.out.println(x);
        }
        out.reset();
        new ObjectOutputStream(out).writeObject(new Point(5, null));
        System.out.println(HexFormat.of().formatHex(out.toByteArray()));
        System.out.println(ObjectStreamClass.lookup(Node.class).getSerialVersionUID() + " " + ObjectStreamClass.lookup(Derived.class).getSerialVersionUID() + ObjectStreamClass.lookup(Point.class).getFields().length);
    }
}
