import java.lang.invoke.*;
import java.util.*;

/** MethodHandles.Lookup: every kind of find, invoke and invokeExact. */
public class A01Find {
    int field = 3;
    static String shared = "shared";
    A01Find() {}
    A01Find(int f) { field = f; }
    static int twice(int x) { return x * 2; }
    String describe(String s, long l) { return s + l + field; }
    private int hidden() { return field * 100; }
    static class Sub extends A01Find { @Override String describe(String s, long l) { return "sub"; }
        static String superCall(Sub s) throws Throwable {
            MethodHandle h = MethodHandles.lookup().findSpecial(A01Find.class, "describe", MethodType.methodType(String.class, String.class, long.class), Sub.class);
            return (String) h.invokeExact(s, "super", 1L);
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle twice = l.findStatic(A01Find.class, "twice", MethodType.methodType(int.class, int.class));
        System.out.println((int) twice.invokeExact(21) + " " + twice.type() + " " + twice.invoke((short) 4) + " " + twice.invoke((Integer) 9));
        MethodHandle describe = l.findVirtual(A01Find.class, "describe", MethodType.methodType(String.class, String.class, long.class));
        System.out.println((String) describe.invokeExact(new A01Find(), "d", 7L) + (String) describe.invoke(new Sub(), "d", 7));
        System.out.println(Sub.superCall(new Sub()));
        MethodHandle ctor = l.findConstructor(A01Find.class, MethodType.methodType(void.class, int.class));
        A01Find made = (A01Find) ctor.invokeExact(8);
        MethodHandle getter = l.findGetter(A01Find.class, "field", int.class);
        MethodHandle setter = l.findSetter(A01Find.class, "field", int.class);
        setter.invokeExact(made, 12);
        System.out.println((int) getter.invokeExact(made) + " " + getter.type() + setter.type());
        MethodHandle sg = l.findStaticGetter(A01Find.class, "shared", String.class);
        MethodHandle ss = l.findStaticSetter(A01Find.class, "shared", String.class);
        ss.invokeExact("changed");
        System.out.println((String) sg.invokeExact());
        System.out.println((int) l.findVirtual(A01Find.class, "hidden", MethodType.methodType(int.class)).invokeExact(made));
        MethodHandle size = l.findVirtual(List.class, "size", MethodType.methodType(int.class));
        System.out.println((int) size.invokeExact(List.of(1, 2, 3)));
        System.out.println(l.unreflect(String.class.getMethod("length")).invoke("four") + " " + l.bind("bound", "charAt", MethodType.methodType(char.class, int.class)).invoke(2));
        System.out.println(twice.invokeWithArguments(5) + " " + describe.invokeWithArguments(List.of(made, "w", 1L)));
        String[] bad = {"exact", "type", "name", "access", "class", "null"};
        for (String b : bad) {
            try {
                switch (b) {
                    case "exact" -> { Object o = twice.invokeExact(1); }
                    case "type" -> twice.invoke("x");
                    case "name" -> l.findStatic(A01Find.class, "nope", MethodType.methodType(void.class));
                    case "access" -> MethodHandles.publicLookup().findStatic(A01Find.class, "twice", MethodType.methodType(int.class, int.class));
                    case "class" -> describe.invoke((Object) "not one", "a", 1L);
                    default -> describe.invoke((A01Find) null, "a", 1L);
                }
            } catch (Throwable t) {
                System.out.println(t.getClass().getSimpleName() + ": " + t.getMessage());
            }
        }
    }
}
