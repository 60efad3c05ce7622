import java.util.function.*;

/** Lambdas that capture nothing, locals, this; of all primitive kinds. */
public class A01Basic {
    int field = 3;

    Supplier<Integer> capturing(long l, double d) {
        String s = "s";
        return () -> field + (int) l + (int) d + s.length();
    }

    interface Many { String join(byte b, short s, char c, int i, long l, float f, double d, boolean z, Object o); }

    public static void main(String[] args) {
        Runnable r = () -> System.out.println("run");
        r.run();
        Function<Integer, Integer> twice = x -> x * 2;
        System.out.println(twice.andThen(x -> x + 1).compose((Integer x) -> x - 1).apply(10));
        IntBinaryOperator add = (a, b) -> a + b;
        System.out.println(add.applyAsInt(3, 4));
        System.out.println(new A01Basic().capturing(4, 5.5).get());
        Many m = (b, s, c, i, l, f, d, z, o) -> "" + b + s + c + i + l + f + d + z + o;
        System.out.println(m.join((byte) 1, (short) 2, 'c', 4, 5L, 6f, 7d, true, null));
        Supplier<Supplier<String>> nested = () -> () -> "nested";
        System.out.println(nested.get().get());
        int[] counter = {0};
        Runnable inc = () -> counter[0]++;
        for (int i = 0; i < 5; i++) inc.run();
        System.out.println(counter[0]);
        Predicate<String> empty = String::isEmpty;
        System.out.println(empty.negate().or(x -> true).test(""));
        BiFunction<Integer, Integer, Integer> f = Math::max;
        System.out.println(f.apply(3, 9));
        Supplier<Runnable> same = () -> () -> { };
        System.out.println(same.get() == same.get());
    }
}
