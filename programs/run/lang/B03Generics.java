import java.util.*;
import java.util.function.*;

/** Bridges, bounded types, wildcards, heap pollution, generic varargs. */
public class B03Generics {
    static class Node<T extends Comparable<T>> implements Comparable<Node<T>> {
        T value;
        Node(T v) { value = v; }
        public int compareTo(Node<T> o) { return value.compareTo(o.value); }
        <R extends Comparable<R>> Node<R> map(Function<? super T, ? extends R> f) { return new Node<>(f.apply(value)); }
    }
    static abstract class Shape { abstract Object copy(); }
    static class Circle extends Shape { int r = 4; @Override Circle copy() { Circle c = new Circle(); c.r = r + 1; return c; } }
    static class Box<T> { T t; void set(T t) { this.t = t; } T get() { return t; } }
    static class IntBox extends Box<Integer> { @Override void set(Integer i) { super.set(i + 1); } @Override Integer get() { return super.get() * 2; } }
    static <T extends Comparable<? super T>> T max(Collection<? extends T> all) {
        T best = null;
        for (T t : all) if (best == null || t.compareTo(best) > 0) best = t;
        return best;
    }
    @SafeVarargs static <T> List<T> listOf(T... ts) { return new ArrayList<>(Arrays.asList(ts)); }
    static <T, E extends Exception> T orThrow(T t, Supplier<E> e) throws E { if (t == null) throw e.get(); return t; }
    static double total(List<? extends Number> numbers) { double d = 0; for (Number n : numbers) d += n.doubleValue(); return d; }
    static void fill(List<? super Integer> list) { for (int i = 0; i < 3; i++) list.add(i); }
    static <T extends CharSequence & Comparable<T>> int both(T a, T b) { return a.length() + a.compareTo(b); }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        System.out.println(new Node<>(3).compareTo(new Node<>(5)) + " " + new Node<>("x").map(String::length).value);
        Shape s = new Circle();
        System.out.println(((Circle) s.copy()).r);
        Box<Integer> b = new IntBox();
        b.set(5);
        System.out.println(b.get());
        Box raw = b;
        try {
            raw.set("text");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(max(List.of(3, 9, 4)) + max(Set.of("only")));
        List<String> strings = listOf("a", "b");
        ((List) strings).add(5);
        try {
            for (String x : strings) System.out.print(x);
        } catch (ClassCastException e) {
            System.out.println(" pollution");
        }
        try {
            orThrow(null, () -> new java.io.IOException("io"));
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        List<Number> numbers = new ArrayList<>();
        fill(numbers);
        numbers.add(2.5);
        System.out.println(total(numbers) + " " + both("abc", "abd"));
        for (var m : IntBox.class.getDeclaredMethods()) if (m.isBridge()) System.out.println("bridge " + m.getName().length() + m.isSynthetic());
        Map<String, List<Map.Entry<Integer, ? extends Number>>> deep = new TreeMap<>();
        deep.computeIfAbsent("k", k -> new ArrayList<>()).add(Map.entry(1, 2.5));
        System.out.println(deep);
    }
}
