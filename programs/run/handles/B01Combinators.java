import java.lang.invoke.*;
import java.util.*;
import static java.lang.invoke.MethodHandles.*;
import static java.lang.invoke.MethodType.*;

/** The combinators: insert, drop, filter, fold, guard, permute, collect, spread, asType, catch, loops. */
public class B01Combinators {
    static String join(Object a, Object b) { return a + "&" + b; }
    static int add(int a, int b) { return a + b; }
    static boolean positive(int x) { return x > 0; }
    static String pos(int x) { return "pos" + x; }
    static String neg(int x) { return "neg" + x; }
    static int parse(String s) { return Integer.parseInt(s); }
    static int handle(NumberFormatException e, String s) { return -s.length(); }
    static String cleanup(Throwable t, String r, int x) { return r + "/" + (t == null ? "ok" : t.getMessage()) + "/" + x; }
    static String risky(int x) { if (x == 0) throw new IllegalStateException("zero"); return "v" + x; }
    static int vararg(String s, int... xs) { return s.length() * 100 + xs.length; }
    static int step(int acc, int i) { return acc * 2 + i; }
    static boolean less(int acc, int i) { return acc < 100; }
    static String body(String acc, Object e) { return acc + "," + e; }
    static void note(Object o) { System.out.println("note " + o); }

    public static void main(String[] args) throws Throwable {
        Lookup l = lookup();
        Class<?> c = B01Combinators.class;
        MethodHandle join = l.findStatic(c, "join", methodType(String.class, Object.class, Object.class));
        MethodHandle add = l.findStatic(c, "add", methodType(int.class, int.class, int.class));
        System.out.println(insertArguments(join, 0, "first").invoke("second") + " " + insertArguments(add, 1, 5).invoke(6) + " " + join.bindTo("bound").invoke("x"));
        System.out.println(dropArguments(join, 1, int.class, String.class).invoke("a", 1, "dropped", "b") + " " + permuteArguments(join, join.type(), 1, 0).invoke("a", "b")
                + " " + permuteArguments(add, methodType(int.class, int.class), 0, 0).invoke(21));
        MethodHandle length = l.findVirtual(String.class, "length", methodType(int.class));
        System.out.println(filterArguments(add, 0, length, length).invoke("three", "four") + " " + filterReturnValue(length, insertArguments(add, 0, 1000)).invoke("abc"));
        MethodHandle toS = l.findStatic(String.class, "valueOf", methodType(String.class, Object.class));
        System.out.println(foldArguments(join.asType(methodType(String.class, String.class, Object.class)), toS).invoke(5) + " " + collectArguments(join, 1, add.asType(methodType(Object.class, int.class, int.class))).invoke("c", 2, 3));
        MethodHandle note = l.findStatic(c, "note", methodType(void.class, Object.class));
        System.out.println(foldArguments(toS, note).invoke("folded"));
        MethodHandle guard = guardWithTest(l.findStatic(c, "positive", methodType(boolean.class, int.class)), l.findStatic(c, "pos", methodType(String.class, int.class)), l.findStatic(c, "neg", methodType(String.class, int.class)));
        System.out.println(guard.invoke(5) + " " + guard.invoke(-5));
        MethodHandle parse = l.findStatic(c, "parse", methodType(int.class, String.class));
        MethodHandle safe = catchException(parse, NumberFormatException.class, l.findStatic(c, "handle", methodType(int.class, NumberFormatException.class, String.class)));
        System.out.println(safe.invoke("42") + " " + safe.invoke("bad!"));
        MethodHandle tf = tryFinally(l.findStatic(c, "risky", methodType(String.class, int.class)), l.findStatic(c, "cleanup", methodType(String.class, Throwable.class, String.class, int.class)));
        System.out.println(tf.invoke(3));
        try {
            tf.invoke(0);
        } catch (IllegalStateException e) {
            System.out.println("rethrown " + e.getMessage());
        }
        MethodHandle spread = add.asSpreader(int[].class, 2);
        System.out.println(spread.invoke(new int[] {7, 8}) + " " + join.asSpreader(1, Object[].class, 1).invoke("x", new Object[] {"y"}));
        try {
            spread.invoke(new int[3]);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        MethodHandle va = l.findStatic(c, "vararg", methodType(int.class, String.class, int[].class));
        System.out.println(va.isVarargsCollector() + " " + va.invoke("ab") + " " + va.invoke("ab", 1, 2, 3) + " " + va.invoke("abc", new int[4]) + " " + va.asFixedArity().invoke("a", new int[2]) + " " + va.asFixedArity().asCollector(int[].class, 2).invoke("a", 5, 6));
        MethodHandle list = l.findStatic(Arrays.class, "asList", methodType(List.class, Object[].class));
        System.out.println(list.invoke(1, "two", 3.0) + " " + list.asCollector(Object[].class, 2).type());
        System.out.println(add.asType(methodType(long.class, byte.class, Integer.class)).invoke((byte) 3, (Integer) 4) + " " + add.asType(methodType(Object.class, Object.class, Object.class)).invoke((Object) 3, (Object) 4));
        try {
            add.asType(methodType(int.class, String.class, int.class));
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(explicitCastArguments(add, methodType(byte.class, double.class, boolean.class)).invoke(300.7, true));
        MethodHandle counted = countedLoop(constant(int.class, 10), constant(int.class, 1), l.findStatic(c, "step", methodType(int.class, int.class, int.class)));
        System.out.println(counted.invoke());
        MethodHandle iter = iteratedLoop(null, constant(String.class, "start"), l.findStatic(c, "body", methodType(String.class, String.class, Object.class)));
        System.out.println(iter.type() + " " + iter.invoke((Iterable<?>) List.of(1, 2, 3)));
        MethodHandle wl = whileLoop(dropArguments(identity(int.class), 0, int.class).asType(methodType(int.class, int.class, int.class)).type() == null ? null : insertArguments(add, 0, 1).asType(methodType(int.class, int.class)),
            l.findStatic(c, "less", methodType(boolean.class, int.class, int.class)), l.findStatic(c, "step", methodType(int.class, int.class, int.class)));
        System.out.println(wl.invoke(3));
        System.out.println(constant(String.class, "k").invoke() + " " + identity(long.class).invoke(5L) + " " + zero(int.class).invoke() + " " + empty(methodType(String.class, int.class)).invoke(1));
        MethodHandle thrower = throwException(String.class, IllegalArgumentException.class);
        try {
            String s = (String) thrower.invokeExact(new IllegalArgumentException("thrown"));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(invoker(add.type()).invoke(add, 1, 2) + " " + exactInvoker(add.type()).invoke(add, 3, 4) + " " + spreadInvoker(add.type(), 0).invoke(add, new Object[] {5, 6}));
        System.out.println(arrayElementGetter(int[].class).invoke(new int[] {4, 5}, 1) + " " + arrayConstructor(String[].class).invoke(2).getClass().getName() + arrayLength(long[].class).invoke(new long[7]));
        MethodHandle sw = tableSwitch(dropArguments(constant(String.class, "default"), 0, int.class), dropArguments(constant(String.class, "zero"), 0, int.class), dropArguments(constant(String.class, "one"), 0, int.class));
        System.out.println(sw.invoke(0) + " " + sw.invoke(1) + " " + sw.invoke(7));
        System.out.println(dropReturn(add).type() + " " + reflectAs(add, l));
    }
    static String reflectAs(MethodHandle h, Lookup l) { MethodHandleInfo i = l.revealDirect(h); return i.getName() + MethodHandleInfo.referenceKindToString(i.getReferenceKind()) + i.getMethodType(); }
}
