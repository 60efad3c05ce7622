import java.util.*;
import java.util.function.*;
import java.util.stream.*;
import static java.util.stream.Collectors.*;

/** All collectors, nested. */
public class B01Collectors {
    enum Dept { SALES, TECH, OPS }
    record Person(String name, Dept dept, int age, double pay) {}

    static void show(Object o) { System.out.println(o); }

    public static void main(String[] args) {
        List<Person> all = List.of(new Person("Ann", Dept.TECH, 31, 5000), new Person("Bob", Dept.SALES, 45, 4000.5), new Person("Cid", Dept.TECH, 22, 3500), new Person("Dee", Dept.OPS, 38, 4200), new Person("Eve", Dept.SALES, 29, 3900.25), new Person("Fay", Dept.TECH, 51, 7000));
        show(new TreeMap<>(all.stream().collect(groupingBy(Person::dept, counting()))));
        show(all.stream().collect(groupingBy(Person::dept, TreeMap::new, mapping(Person::name, joining("/")))));
        show(all.stream().collect(groupingBy(Person::dept, () -> new EnumMap<>(Dept.class), averagingDouble(Person::pay))));
        show(all.stream().collect(partitioningBy(p -> p.age() > 30, mapping(Person::name, toList()))));
        show(new TreeMap<>(all.stream().collect(toMap(Person::name, Person::age))) + " " + all.stream().collect(toMap(Person::dept, Person::pay, Double::sum, TreeMap::new)));
        show(all.stream().collect(summingInt(Person::age)) + " " + all.stream().collect(averagingInt(Person::age)) + " " + all.stream().collect(summarizingDouble(Person::pay)));
        show(all.stream().collect(maxBy(Comparator.comparingInt(Person::age))).get().name() + all.stream().collect(minBy(Comparator.comparing(Person::pay))).get().name());
        show(all.stream().map(Person::name).collect(collectingAndThen(toList(), l -> { Collections.reverse(l); return l; })));
        show(all.stream().collect(teeing(counting(), summingDouble(Person::pay), (n, s) -> s / n)));
        show(all.stream().collect(reducing(0, Person::age, Integer::sum)) + " " + all.stream().map(Person::age).collect(reducing(Integer::max)).get());
        show(all.stream().collect(groupingBy(Person::dept, TreeMap::new, filtering(p -> p.age() < 40, flatMapping(p -> p.name().chars().mapToObj(c -> (char) c), toCollection(TreeSet::new))))));
        show(all.stream().collect(groupingBy(p -> p.age() / 10 * 10, TreeMap::new, groupingBy(Person::dept, TreeMap::new, mapping(Person::name, toCollection(LinkedList::new))))));
        try {
            all.stream().collect(toMap(Person::dept, Person::name));
        } catch (IllegalStateException e) {
            show(e.getMessage());
        }
        try {
            Stream.of(1).collect(toUnmodifiableList()).add(2);
        } catch (UnsupportedOperationException e) {
            show(e);
        }
        Collector<String, StringJoiner, String> custom = Collector.of(() -> new StringJoiner("-", "<", ">"), StringJoiner::add, StringJoiner::merge, StringJoiner::toString);
        show(Stream.of("x", "y", "z").collect(custom) + custom.characteristics());
        ArrayList<Integer> manual = Stream.of(3, 4).collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
        show(manual + " " + IntStream.range(0, 4).collect(StringBuilder::new, StringBuilder::append, StringBuilder::append));
        show(new TreeSet<>(Stream.of(1, 2, 3, 4, 5, 6).collect(partitioningBy(x -> x % 2 == 0, reducing(1, (a, b) -> a * b))).values()));
        show(Stream.of("a", "bb", "cc").collect(toConcurrentMap(String::length, s -> s, (a, b) -> a + b)) + " " + new TreeSet<>(Stream.of(1, 1, 2).collect(toUnmodifiableSet())));
        Function<Person, String> f = Person::name;
        show(all.stream().sorted(Comparator.comparing(Person::dept).thenComparing(Person::age, Comparator.reverseOrder()).thenComparing(f)).map(f).collect(joining(" ")));
    }
}
