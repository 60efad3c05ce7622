import java.util.*;
import java.util.function.*;

/** Every kind of method reference. */
public class A02MethodReferences {
    final String name;
    A02MethodReferences() { this("none"); }
    A02MethodReferences(String n) { name = n; }
    static int square(int x) { return x * x; }
    static long sum(int... xs) { long s = 0; for (int x : xs) s += x; return s; }
    String greet(String who) { return name + " greets " + who; }
    private static String secret(Object o) { return "secret " + o; }
    <T> String generic(T t) { return name + t; }
    @Override public String toString() { return "<" + name + ">"; }

    static class Sub extends A02MethodReferences {
        Sub() { super("sub"); }
        @Override String greet(String who) { return "overridden"; }
        Function<String, String> viaSuper() { return super::greet; }
        Function<String, String> viaThis() { return this::greet; }
    }
    interface Three { long of(int a, int b, int c); }
    interface ArrayMaker { int[][] make(int n); }

    public static void main(String[] args) {
        IntUnaryOperator sq = A02MethodReferences::square;
        ToLongFunction<Integer> boxed = A02MethodReferences::square;
        Function<Integer, Object> widening = A02MethodReferences::square;
        System.out.println(sq.applyAsInt(7) + " " + boxed.applyAsLong(8) + " " + widening.apply(9));
        Three three = A02MethodReferences::sum;
        Supplier<Long> zero = A02MethodReferences::sum;
        System.out.println(three.of(1, 2, 3) + " " + zero.get());
        A02MethodReferences bob = new A02MethodReferences("bob");
        Function<String, String> bound = bob::greet;
        BiFunction<A02MethodReferences, String, String> unbound = A02MethodReferences::greet;
        System.out.println(bound.apply("x") + unbound.apply(bob, "y") + unbound.apply(new Sub(), "z"));
        Supplier<A02MethodReferences> ctor = A02MethodReferences::new;
        Function<String, A02MethodReferences> ctor1 = A02MethodReferences::new;
        System.out.println(ctor.get() + "" + ctor1.apply("al"));
        IntFunction<int[]> array = int[]::new;
        Function<Integer, String[]> strings = String[]::new;
        ArrayMaker deep = int[][]::new;
        System.out.println(array.apply(3).length + strings.apply(4).length + deep.make(2).length);
        System.out.println(new Sub().viaSuper().apply("q") + new Sub().viaThis().apply("q"));
        Function<Object, String> s = A02MethodReferences::secret;
        System.out.println(s.apply(1) + bob.<Integer>generic(5));
        Function<Integer, String> g = bob::generic;
        System.out.println(g.apply(3));
        Supplier<Integer> length = "hello"::length;
        Comparator<String> cmp = String::compareToIgnoreCase;
        System.out.println(length.get() + cmp.compare("A", "b"));
        Consumer<Object> out = System.out::println;
        out.accept("printed");
        Runnable discard = bob::toString;
        discard.run();
        Function<List<Integer>, Integer> size = List::size;
        System.out.println(size.apply(List.of(1, 2)));
        Supplier<Map<String, Integer>> maps = TreeMap::new;
        System.out.println(maps.get());
        Function<int[], Object> clone = int[]::clone;
        System.out.println(((int[]) clone.apply(new int[] {4})).length);
        A02MethodReferences nobody = null;
        try {
            Function<String, String> bad = nobody::greet;
        } catch (NullPointerException e) {
            System.out.println("null receiver");
        }
        try {
            array.apply(-1);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
    }
}
