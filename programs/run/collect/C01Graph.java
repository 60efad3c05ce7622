import java.util.*;
import java.util.stream.*;

/** Graph algorithms: Dijkstra, topological order, union-find, strongly connected components. */
public class C01Graph {
    record Edge(String from, String to, int cost) {}
    final Map<String, List<Edge>> out = new TreeMap<>();
    void add(String f, String t, int c) {
        out.computeIfAbsent(f, k -> new ArrayList<>()).add(new Edge(f, t, c));
        out.computeIfAbsent(t, k -> new ArrayList<>());
    }
    Map<String, Integer> distances(String start) {
        Map<String, Integer> best = new TreeMap<>();
        PriorityQueue<Map.Entry<String, Integer>> q = new PriorityQueue<>(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()));
        q.add(Map.entry(start, 0));
        while (!q.isEmpty()) {
            var e = q.poll();
            if (best.putIfAbsent(e.getKey(), e.getValue()) != null) continue;
            for (Edge x : out.get(e.getKey())) q.add(Map.entry(x.to(), e.getValue() + x.cost()));
        }
        return best;
    }
    List<String> order() {
        Map<String, Integer> in = new TreeMap<>();
        out.keySet().forEach(k -> in.put(k, 0));
        out.values().stream().flatMap(List::stream).forEach(e -> in.merge(e.to(), 1, Integer::sum));
        TreeSet<String> ready = in.entrySet().stream().filter(e -> e.getValue() == 0).map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
        List<String> result = new ArrayList<>();
        while (!ready.isEmpty()) {
            String n = ready.pollFirst();
            result.add(n);
            for (Edge e : out.get(n)) if (in.merge(e.to(), -1, Integer::sum) == 0) ready.add(e.to());
        }
        if (result.size() != out.size()) throw new IllegalStateException("cycle among " + in.entrySet().stream().filter(e -> e.getValue() > 0).map(Map.Entry::getKey).toList());
        return result;
    }
    List<Set<String>> components() {
        Map<String, Integer> index = new HashMap<>(), low = new HashMap<>();
        Deque<String> stack = new ArrayDeque<>();
        List<Set<String>> result = new ArrayList<>();
        class Visitor {
            void visit(String v) {
                index.put(v, index.size());
                low.put(v, index.get(v));
                stack.push(v);
                for (Edge e : out.get(v)) {
                    if (!index.containsKey(e.to())) { visit(e.to()); low.merge(v, low.get(e.to()), Math::min); }
                    else if (stack.contains(e.to())) low.merge(v, index.get(e.to()), Math::min);
                }
                if (low.get(v).equals(index.get(v))) {
                    Set<String> c = new TreeSet<>();
                    String w;
                    do { w = stack.pop(); c.add(w); } while (!w.equals(v));
                    result.add(c);
                }
            }
        }
        for (String v : out.keySet()) if (!index.containsKey(v)) new Visitor().visit(v);
        return result;
    }
    int spanningCost() {
        Map<String, String> parent = new HashMap<>();
        out.keySet().forEach(k -> parent.put(k, k));
        int total = 0;
        List<Edge> edges = out.values().stream().flatMap(List::stream).sorted(Comparator.comparingInt(Edge::cost).thenComparing(Edge::from).thenComparing(Edge::to)).toList();
        for (Edge e : edges) {
            String a = find(parent, e.from()), b = find(parent, e.to());
            if (!a.equals(b)) { parent.put(a, b); total += e.cost(); }
        }
        return total;
    }
    static String find(Map<String, String> p, String x) {
        while (!p.get(x).equals(x)) { p.put(x, p.get(p.get(x))); x = p.get(x); }
        return x;
    }

    public static void main(String[] args) {
        C01Graph g = new C01Graph();
        int seed = 11;
        for (int i = 0; i < 60; i++) {
            seed = seed * 1103515245 + 12345;
            int a = (seed >>> 16) % 20, b = (seed >>> 8) % 20;
            if (a < b) g.add("n" + a, "n" + b, (seed >>> 20) % 50 + 1);
        }
        System.out.println(g.distances("n0"));
        System.out.println(g.order());
        System.out.println(g.spanningCost());
        g.add("n19", "n3", 1);
        System.out.println(g.components());
        try {
            g.order();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
