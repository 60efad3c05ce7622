import java.util.*;
import java.util.function.*;

/** Currying, recursion, memoization, intersection types, exceptions, generic functional interfaces. */
public class B01Functional {
    interface TriFunction<A, B, C, R> { R apply(A a, B b, C c); default <S> TriFunction<A, B, C, S> then(Function<R, S> f) { return (a, b, c) -> f.apply(apply(a, b, c)); } }
    interface Thrower<E extends Exception> { void run() throws E; }
    interface Marker {}
    static <E extends Exception> void sneaky(Thrower<E> t) throws E { t.run(); }
    static Function<Integer, Integer> fact;
    static { fact = n -> n <= 1 ? 1 : n * fact.apply(n - 1); }
    static <A, B> Function<A, B> memo(Function<A, B> f, int[] misses) {
        Map<A, B> cache = new HashMap<>();
        return a -> { if (!cache.containsKey(a)) { misses[0]++; cache.put(a, f.apply(a)); } return cache.get(a); };
    }
    static <T> T fix(Function<Supplier<T>, T> f) { return f.apply(() -> fix(f)); }
    static String over(Supplier<String> s) { return "supplier"; }
    static String over(Runnable r) { return "runnable"; }
    static String over2(Callable2<String> s) throws Exception { return s.call(); }
    interface Callable2<V> { V call() throws Exception; }

    public static void main(String[] args) throws Exception {
        Function<Integer, Function<Integer, Function<Integer, Integer>>> curried = a -> b -> c -> a * b + c;
        System.out.println(curried.apply(3).apply(4).apply(5));
        System.out.println(fact.apply(10));
        int[] misses = {0};
        Function<Integer, Integer> m = memo(x -> x * x, misses);
        System.out.println(m.apply(4) + m.apply(4) + m.apply(5) + " " + misses[0]);
        TriFunction<Integer, Long, Double, String> t = (a, b, c) -> "" + a + b + c;
        System.out.println(t.then(String::length).then(x -> x * 2).apply(1, 2L, 3.0));
        try {
            sneaky(() -> { throw new java.io.IOException("checked"); });
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        Runnable r = (Runnable & Marker) () -> System.out.println("intersection");
        r.run();
        System.out.println((r instanceof Marker) + " " + r.getClass().isSynthetic() + r.getClass().isHidden() + " " + r.getClass().getSimpleName().startsWith("B01Functional$$Lambda"));
        System.out.println(over(() -> "x") + over(() -> { }));
        Function<Integer, IntPredicate> divides = d -> n -> n % d == 0;
        System.out.println(divides.apply(3).and(divides.apply(5)).test(15) + " " + divides.apply(2).negate().test(3));
        BinaryOperator<Integer> max = BinaryOperator.maxBy(Comparator.naturalOrder());
        System.out.println(max.apply(3, 8) + UnaryOperator.<String>identity().apply("id"));
        Optional<String> o = Optional.of("v").filter(v -> v.length() == 1).map(v -> v + v).flatMap(v -> Optional.of(v + "!"));
        System.out.println(o.orElse("none") + Optional.empty().or(() -> Optional.of("alt")).get() + OptionalInt.of(3).getAsInt());
        Comparator<String> byLen = Comparator.comparing(String::length, Comparator.reverseOrder());
        List<String> words = new ArrayList<>(List.of("bb", "a", "ccc", "aa"));
        words.sort(byLen.thenComparing(Function.identity()));
        System.out.println(words);
        words.sort(Comparator.nullsFirst(Comparator.comparingInt(String::length)));
        System.out.println(words);
        Supplier<Supplier<Supplier<Integer>>> sss = () -> () -> () -> 7;
        System.out.println(sss.get().get().get());
        List<Runnable> list = new ArrayList<>();
        for (int i = 0; i < 3; i++) { int j = i; for (String s : List.of("a", "b")) list.add(() -> System.out.print(s + j + " ")); }
        list.forEach(Runnable::run);
        System.out.println();
        long big = 1L << 40;
        double d = 0.5;
        LongUnaryOperator lu = x -> x + big;
        DoubleBinaryOperator db = (x, y) -> x * y + d;
        ObjIntConsumer<String> oic = (s, i) -> System.out.println(s.repeat(i));
        System.out.println(lu.applyAsLong(1) + " " + db.applyAsDouble(2, 3));
        oic.accept("ab", 3);
        System.out.println(over2(() -> "called") + ((IntSupplier) () -> 3).getAsInt() + ((BooleanSupplier) () -> true).getAsBoolean());
        new Object() { void go(int n) { if (n > 0) { Runnable x = () -> go(n - 1); x.run(); } else System.out.println("bottom"); } }.go(20);
    }
}
