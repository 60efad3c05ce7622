import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** A sales report over generated records: grouping, ranking, moving averages, histograms. */
public class C01Report {
    record Sale(int day, String region, String product, int units, double price) { double total() { return units * price; } }

    static List<Sale> generate(int n, long seed) {
        Random r = new Random(seed);
        String[] regions = {"north", "south", "east", "west"}, products = {"nut", "bolt", "screw", "nail", "gear"};
        return IntStream.range(0, n).mapToObj(i -> new Sale(r.nextInt(28), regions[r.nextInt(4)], products[r.nextInt(5)], 1 + r.nextInt(20), Math.round(r.nextDouble() * 1000) / 100.0)).toList();
    }
    static <T, K extends Comparable<K>> SortedMap<K, Double> sum(Collection<T> c, Function<T, K> key, ToDoubleFunction<T> v) {
        return c.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.summingDouble(v)));
    }
    static List<Double> moving(List<Double> v, int w) {
        return IntStream.rangeClosed(0, v.size() - w).mapToObj(i -> v.subList(i, i + w).stream().mapToDouble(d -> d).average().orElse(0)).toList();
    }
    static String bar(double v, double max) { return "#".repeat((int) Math.round(20 * v / max)); }

    public static void main(String[] args) {
        List<Sale> sales = generate(500, 2024);
        sum(sales, Sale::region, Sale::total).forEach((k, v) -> System.out.printf(Locale.ROOT, "%-6s %10.2f%n", k, v));
        var byProduct = sum(sales, Sale::product, Sale::units);
        double max = Collections.max(byProduct.values());
        byProduct.forEach((k, v) -> System.out.printf(Locale.ROOT, "%-6s|%-20s|%5.0f%n", k, bar(v, max), v));
        List<Double> daily = new ArrayList<>(sum(sales, Sale::day, Sale::total).values());
        System.out.println(moving(daily, 7).stream().map(d -> String.format(Locale.ROOT, "%.1f", d)).collect(Collectors.joining(" ")));
        Map<String, Optional<Sale>> best = sales.stream().collect(Collectors.groupingBy(Sale::region, TreeMap::new, Collectors.maxBy(Comparator.comparingDouble(Sale::total).thenComparingInt(Sale::day))));
        best.forEach((k, v) -> System.out.println(k + " " + v.get()));
        IntSummaryStatistics s = sales.stream().mapToInt(Sale::units).summaryStatistics();
        System.out.println(s.getMin() + " " + s.getMax() + " " + s.getAverage() + " " + s.getSum());
        String top = sales.stream().collect(Collectors.groupingBy(x -> x.region() + "/" + x.product(), Collectors.summingInt(Sale::units))).entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey())).limit(5).map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(", "));
        System.out.println(top);
        double[] cumulative = daily.stream().mapToDouble(d -> d).toArray();
        Arrays.parallelPrefix(cumulative, Double::sum);
        System.out.printf(Locale.ROOT, "%.2f %.2f%n", cumulative[0], cumulative[cumulative.length - 1]);
        Comparator<Sale> order = Comparator.comparing(Sale::product).thenComparing(Sale::day).thenComparing(Sale::total).thenComparing(Sale::region);
        System.out.println(sales.stream().sorted(order).toList().equals(sales.parallelStream().sorted(order).toList()));
        System.out.println(sales.stream().sorted(order).limit(3).toList());
    }
}
