import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;
import static java.lang.invoke.MethodType.methodType;

/** A multi-method dispatcher with inline caches built from method handles. */
public class C01Dispatch {
    static class Animal {}
    static class Dog extends Animal {}
    static class Cat extends Animal {}
    static class Lion extends Cat {}
    public static class Rules {
        static String meet(Animal a, Animal b) { return "ignore"; }
        static String meet(Dog a, Cat b) { return "chase"; }
        static String meet(Cat a, Dog b) { return "hiss"; }
        static String meet(Lion a, Animal b) { return "eat"; }
        static String meet(Dog a, Lion b) { return "run"; }
    }

    static final class Site extends MutableCallSite {
        static final MethodHandle MISS, CHECK;
        static {
            try {
                MISS = MethodHandles.lookup().findVirtual(Site.class, "miss", methodType(Object.class, Object.class, Object.class));
                CHECK = MethodHandles.lookup().findStatic(Site.class, "check", methodType(boolean.class, Class.class, Class.class, Object.class, Object.class));
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
        final List<Method> methods = new ArrayList<>();
        int misses, depth;
        Site(Class<?> rules, String name) {
            super(methodType(Object.class, Object.class, Object.class));
            for (Method m : rules.getDeclaredMethods()) if (m.getName().equals(name)) methods.add(m);
            methods.sort(Comparator.comparing(Method::toString)); // two rules can fit equally well
            setTarget(MISS.bindTo(this));
        }
        static boolean check(Class<?> a, Class<?> b, Object x, Object y) { return x.getClass() == a && y.getClass() == b; }
        Object miss(Object x, Object y) throws Throwable {
            misses++;
            Method best = null;
            for (Method m : methods) {
                Class<?>[] p = m.getParameterTypes();
                if (!p[0].isInstance(x) || !p[1].isInstance(y)) continue;
                if (best == null || best.getParameterTypes()[0].isAssignableFrom(p[0]) && best.getParameterTypes()[1].isAssignableFrom(p[1])) best = m;
            }
            if (best == null) throw new NoSuchMethodException(x.getClass().getSimpleName() + " " + y.getClass().getSimpleName());
            MethodHandle target = MethodHandles.lookup().unreflect(best).asType(type());
            if (depth++ < 3) setTarget(MethodHandles.guardWithTest(MethodHandles.insertArguments(CHECK, 0, x.getClass(), y.getClass()), target, getTarget()));
            else setTarget(MISS.bindTo(this));
            return target.invoke(x, y);
        }
    }

    public static void main(String[] args) throws Throwable {
        Site site = new Site(Rules.class, "meet");
        MethodHandle meet = site.dynamicInvoker();
        Animal[] all = {new Animal(), new Dog(), new Cat(), new Lion()};
        Map<String, Integer> counts = new TreeMap<>();
        for (Animal a : all) {
            StringBuilder row = new StringBuilder(a.getClass().getSimpleName() + ":");
            for (Animal b : all) {
                Object r = meet.invoke(a, b);
                row.append(' ').append(r);
                counts.merge((String) r, 1, Integer::sum);
            }
            System.out.println(row);
        }
        System.out.println(counts + " " + site.misses);
        int before = site.misses;
        Animal dog = all[1], cat = all[2];
        for (int i = 0; i < 50; i++) { Object r = meet.invokeExact((Object) dog, (Object) cat); if (!r.equals("chase")) throw new AssertionError(r); }
        System.out.println(site.misses - before <= 2);
        try {
            meet.invoke("string", 1);
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        MethodHandle sum = MethodHandles.lookup().findStatic(Math.class, "addExact", methodType(int.class, int.class, int.class));
        MethodHandle pipeline = MethodHandles.filterReturnValue(sum, MethodHandles.lookup().findStatic(Integer.class, "toString", methodType(String.class, int.class)));
        System.out.println((String) pipeline.invokeExact(20, 22) + pipeline.type());
        try {
            pipeline.invoke(Integer.MAX_VALUE, 1);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
