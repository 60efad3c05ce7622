import java.util.*;
import java.util.stream.*;

/** Huffman coding and LZW: queues, trees, bit sets, maps. */
public class C02Huffman {
    static abstract class Node implements Comparable<Node> {
        final int weight, order;
        Node(int w, int o) { weight = w; order = o; }
        public int compareTo(Node n) { return weight != n.weight ? Integer.compare(weight, n.weight) : Integer.compare(order, n.order); }
        abstract void codes(String prefix, Map<Character, String> out);
    }
    static class Leaf extends Node {
        final char c;
        Leaf(char c, int w, int o) { super(w, o); this.c = c; }
        void codes(String p, Map<Character, String> out) { out.put(c, p.isEmpty() ? "0" : p); }
    }
    static class Inner extends Node {
        final Node left, right;
        Inner(Node l, Node r, int o) { super(l.weight + r.weight, o); left = l; right = r; }
        void codes(String p, Map<Character, String> out) { left.codes(p + "0", out); right.codes(p + "1", out); }
    }
    static Node build(String s) {
        Map<Character, Integer> freq = new TreeMap<>();
        for (char c : s.toCharArray()) freq.merge(c, 1, Integer::sum);
        PriorityQueue<Node> q = new PriorityQueue<>();
        int[] order = {0};
        freq.forEach((c, n) -> q.add(new Leaf(c, n, order[0]++)));
        while (q.size() > 1) q.add(new Inner(q.poll(), q.poll(), order[0]++));
        return q.poll();
    }
    static String decode(Node root, BitSet bits, int n) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < n;) {
            Node x = root;
            if (x instanceof Leaf) i++;
            while (x instanceof Inner in) x = bits.get(i++) ? in.right : in.left;
            b.append(((Leaf) x).c);
        }
        return b.toString();
    }
    static List<Integer> lzw(String s) {
        Map<String, Integer> dict = new HashMap<>();
        for (int i = 0; i < 256; i++) dict.put("" + (char) i, i);
        List<Integer> out = new ArrayList<>();
        String w = "";
        for (char c : s.toCharArray()) {
            if (dict.containsKey(w + c)) w += c;
            else { out.add(dict.get(w)); dict.put(w + c, dict.size()); w = "" + c; }
        }
        if (!w.isEmpty()) out.add(dict.get(w));
        return out;
    }
    static String unlzw(List<Integer> in) {
        List<String> dict = IntStream.range(0, 256).mapToObj(i -> "" + (char) i).collect(Collectors.toCollection(ArrayList::new));
        StringBuilder b = new StringBuilder();
        String prev = null;
        for (int code : in) {
            String e = code < dict.size() ? dict.get(code) : prev + prev.charAt(0);
            b.append(e);
            if (prev != null) dict.add(prev + e.charAt(0));
            prev = e;
        }
        return b.toString();
    }

    public static void main(String[] args) {
        for (String s : new String[] {"abracadabra", "aaaa", "the quick brown fox jumps over the lazy dog", "mississippi river ".repeat(20)}) {
            Node root = build(s);
            Map<Character, String> codes = new TreeMap<>();
            root.codes("", codes);
            BitSet bits = new BitSet();
            int n = 0;
            for (char c : s.toCharArray()) for (char b : codes.get(c).toCharArray()) bits.set(n++, b == '1');
            System.out.println(codes + " " + n + " bits, " + decode(root, bits, n).equals(s));
            List<Integer> z = lzw(s);
            System.out.println(z.size() + " " + z.hashCode() + " " + unlzw(z).equals(s));
        }
    }
}
