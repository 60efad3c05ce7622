import java.util.*;

/** Holders, enum singletons, instance initializers and constructors that throw. */
public class B03LazyHolder {
    static List<String> log = new ArrayList<>();
    static class Lazy {
        private static class Holder { static final Lazy ONE = new Lazy(); static { log.add("holder"); } }
        Lazy() { log.add("lazy"); }
        static Lazy get() { return Holder.ONE; }
    }
    enum Only { INSTANCE; int n; { log.add("only"); } int next() { return ++n; } }
    static class Throwing {
        final int a;
        int b = 5;
        { if (log.size() > 100) throw new IllegalStateException(); log.add("block " + b); }
        Throwing(int x) { log.add("ctor"); a = 10 / x; b = a; }
        @Override public String toString() { return a + "," + b; }
    }
    static class Base {
        Base() { log.add("Base sees " + describe()); }
        String describe() { return "base"; }
    }
    static class Derived extends Base {
        final String constant = "constant";
        final String computed = String.valueOf("computed");
        int n = 3;
        @Override String describe() { return constant + " " + computed + " " + n; }
    }
    static int counter;
    final int id = ++counter;
    static { counter = 10; }

    public static void main(String[] args) {
        log.add("main");
        System.out.println(Lazy.get() == Lazy.get());
        System.out.println(Only.INSTANCE.next() + Only.INSTANCE.next());
        System.out.println(new Throwing(2));
        try {
            new Throwing(0);
        } catch (ArithmeticException e) {
            log.add(e.getMessage());
        }
        System.out.println(new Derived().describe());
        System.out.println(new B03LazyHolder().id + new B03LazyHolder().id);
        log.forEach(System.out::println);
    }
}
