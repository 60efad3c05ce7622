import java.util.*;
import java.util.stream.*;

/** Streams: the intermediate and terminal operations. */
public class A01Basic {
    public static void main(String[] args) {
        List<String> words = List.of("delta", "alpha", "charlie", "bravo", "echo", "alpha");
        System.out.println(words.stream().filter(w -> w.length() == 5).map(String::toUpperCase).sorted().distinct().collect(Collectors.toList()));
        System.out.println(words.stream().mapToInt(String::length).sum() + " " + words.stream().count() + words.stream().skip(1).limit(2).toList());
        System.out.println(IntStream.rangeClosed(1, 5).reduce(1, (a, b) -> a * b) + " " + Stream.iterate(1, x -> x * 2).limit(8).map(String::valueOf).collect(Collectors.joining(",", "[", "]")));
        System.out.println(words.stream().anyMatch("echo"::equals) + " " + words.stream().allMatch(w -> w.length() > 3) + words.stream().noneMatch(String::isEmpty) + words.stream().findFirst().get() + words.stream().max(Comparator.naturalOrder()).get());
        System.out.println(Stream.of(List.of(1, 2), List.of(3)).flatMap(List::stream).map(x -> x * 10).toList() + " " + Stream.concat(Stream.of(1), Stream.of(2)).toList());
        System.out.println(IntStream.range(0, 20).filter(i -> i % 3 == 0).boxed().collect(Collectors.toList()) + " " + IntStream.of(3, 1, 2).sorted().mapToObj(Integer::toString).toList());
        System.out.println(DoubleStream.of(1, 2, 3.5).average().getAsDouble() + " " + LongStream.range(0, 10).summaryStatistics() + IntStream.empty().max());
        List<String> seen = new ArrayList<>();
        System.out.println(words.stream().peek(seen::add).filter(w -> w.startsWith("c")).findFirst() + " " + seen);
        System.out.println(Stream.iterate(1, x -> x < 50, x -> x * 3).toList() + " " + IntStream.iterate(10, x -> x - 3).takeWhile(x -> x > 0).sum() + Stream.of(1, 5, 2, 8).dropWhile(x -> x < 5).toList());
        System.out.println(Stream.of("a", "b").reduce("", String::concat) + Stream.of(1, 2, 3).reduce(0, (a, b) -> a + b * 2, Integer::sum) + " " + "hello".chars().filter(c -> c == 'l').count());
        System.out.println(Arrays.toString(words.stream().sorted(Comparator.comparing(String::length).reversed()).toArray(String[]::new)) + Stream.generate(() -> "x").limit(3).toList());
        System.out.println(Stream.of(1, 2, 3, 4).<Object>mapMulti((x, c) -> { if (x % 2 == 0) { c.accept(x); c.accept("t" + x); } }).toList() + " " + Stream.ofNullable(null).count());
        System.out.println(IntStream.range(0, 5).mapToObj(i -> i * i).collect(Collectors.toCollection(ArrayDeque::new)) + " " + Stream.of(5, 3).sorted(Collections.reverseOrder()).iterator().next());
        StringBuilder closed = new StringBuilder();
        try (Stream<Integer> s = Stream.of(1).onClose(() -> closed.append("closed"))) {
            s.forEach(x -> closed.append(x));
        }
        System.out.println(closed);
        System.out.println(IntStream.rangeClosed(1, 3).asDoubleStream().mapToObj(Double::toString).collect(Collectors.joining("|")) + IntStream.range(0, 3).asLongStream().boxed().toList());
    }
}
