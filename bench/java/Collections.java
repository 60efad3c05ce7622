import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collections: HashMap, ArrayList, TreeMap and ArrayDeque of boxed integers. */
public class Collections {
    public static void main(String[] args) {
        int scale = args.length > 0 ? Integer.parseInt(args[0]) : 15;
        long check = 0;
        for (int r = 0; r < scale; r++) {
            Map<Integer, Integer> counts = new HashMap<>();
            List<Integer> list = new ArrayList<>();
            int seed = r + 1;
            for (int i = 0; i < 40_000; i++) {
                seed = seed * 1664525 + 1013904223;
                int key = seed >>> 20;
                Integer old = counts.get(key);
                counts.put(key, old == null ? 1 : old + 1);
                list.add(key);
            }
            for (int v : list) check = check * 31 + v;
            for (Map.Entry<Integer, Integer> e : counts.entrySet()) check += (long) e.getKey() * e.getValue();
            TreeMap<Integer, Integer> tree = new TreeMap<>();
            for (int i = 0; i < 5_000; i++) tree.merge(list.get(i), 1, Integer::sum);
            int rank = 0;
            for (int key : tree.keySet()) check ^= (long) key << (rank++ % 20);
            ArrayDeque<Integer> queue = new ArrayDeque<>();
            for (int i = 0; i < 20_000; i++) {
                queue.addLast(list.get(i));
                if (i % 3 == 2) check += queue.pollFirst();
            }
            check += queue.size();
        }
        System.out.println(check);
    }
}
