import java.util.*;

/** Default, static and private interface methods; diamonds; super calls. */
public class B01Interfaces {
    interface A { default String who() { return "A"; } static String make() { return "A.make"; } }
    interface B extends A { default String who() { return "B>" + A.super.who(); } }
    interface C extends A { default String who() { return "C>" + A.super.who() + helper(); }
        private String helper() { return "(private)"; } }
    static class D implements B, C { public String who() { return "D>" + B.super.who() + "+" + C.super.who(); } }
    static class E implements B {}
    static class Base { public String who() { return "Base"; } }
    static class F extends Base implements B {}
    interface Counter { int next(); default int skip(int n) { int r = 0; for (int i = 0; i < n; i++) r = next(); return r; } }
    static abstract class Partial implements Counter, Comparable<Partial> { int id; public int compareTo(Partial o) { return id - o.id; } }
    static class Whole extends Partial { Whole(int i) { id = i; } public int next() { return id++; } }
    interface Generic<T> { T get(T in); default T twice(T in) { return get(get(in)); } }
    interface ToStringer { String toString(); boolean equals(Object o); }

    public static void main(String[] args) {
        System.out.println(new D().who() + " " + new E().who() + " " + new F().who() + " " + A.make());
        Whole w = new Whole(5);
        System.out.println(w.skip(10) + " " + w.compareTo(new Whole(3)));
        Generic<String> g = s -> s + s;
        System.out.println(g.twice("ab"));
        ToStringer t = new ToStringer() { public String toString() { return "anonymous"; } };
        System.out.println(t + " " + t.equals(t) + " " + (t.hashCode() == t.hashCode()));
        A a = new A() {};
        System.out.println(a.who() + a.getClass().isAnonymousClass());
        List<Partial> list = new ArrayList<>(List.of(new Whole(3), new Whole(1), new Whole(2)));
        Collections.sort(list);
        for (Partial p : list) System.out.print(p.id + " ");
        System.out.println();
    }
}
