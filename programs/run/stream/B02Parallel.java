import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** Parallel streams: results that do not depend on the splitting. */
public class B02Parallel {
    static void show(Object o) { System.out.println(o); }

    public static void main(String[] args) throws Exception {
        show(IntStream.rangeClosed(1, 10000).parallel().sum() + " " + LongStream.range(0, 5000).parallel().map(x -> x * x).filter(x -> x % 3 == 1).count());
        show(IntStream.range(0, 1000).parallel().boxed().map(x -> x * 7 % 13).sorted().limit(5).toList());
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 2000; i++) list.add(i * 31 % 1009);
        show(list.parallelStream().collect(Collectors.groupingBy(x -> x % 5, TreeMap::new, Collectors.counting())));
        show(list.parallelStream().map(x -> "" + x).collect(Collectors.joining()).hashCode() + " " + list.stream().map(x -> "" + x).collect(Collectors.joining()).hashCode());
        show(list.parallelStream().reduce(0, Integer::sum) + " " + list.parallelStream().mapToInt(x -> x).max().getAsInt() + list.parallelStream().distinct().count());
        StringBuffer ordered = new StringBuffer();
        IntStream.range(0, 50).parallel().mapToObj(Integer::toString).forEachOrdered(ordered::append);
        show(ordered);
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        IntStream.range(0, 1000).parallel().forEach(i -> map.merge(i % 10, 1, Integer::sum));
        show(map);
        show(list.parallelStream().sorted(Comparator.reverseOrder()).skip(10).findFirst().get() + " " + list.parallelStream().anyMatch(x -> x == 1008) + list.parallelStream().filter(x -> x > 1000).findFirst().get());
        show(Arrays.hashCode(IntStream.range(0, 3000).parallel().map(x -> x ^ 0x55).toArray()));
        ForkJoinPool pool = new ForkJoinPool(3);
        show(pool.submit(() -> IntStream.range(0, 1000).parallel().mapToLong(x -> x).sum()).get());
        pool.shutdown();
        show(list.parallelStream().unordered().collect(Collectors.toSet()).size() + " " + Stream.iterate(1, x -> x + 1).parallel().limit(100).reduce(Integer::sum).get());
        try {
            list.parallelStream().forEach(x -> { if (x == 500) throw new IllegalStateException("in parallel"); });
        } catch (IllegalStateException e) {
            show(e.getMessage().endsWith("in parallel"));
        }
        show(IntStream.range(0, 100).parallel().isParallel() + " " + IntStream.range(0, 100).parallel().sequential().isParallel());
    }
}
