import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Loaders that disagree about a type that their classes exchange (JVMS 5.3.4). */
public class D01Constraints {
    public static class Thing {}

    public static class Other extends Thing {}

    public static class Provider {
        public static Thing one = null;
        public Thing mine = null;
        public Thing[][] many = null;
        public int[] numbers = {1, 2};

        public static Thing make() {
            return null;
        }

        public static void take(int a, Thing[] things, long b) {}

        public static int[] plain(int[] in) {
            return in;
        }

        public Thing instance() {
            return null;
        }

        public static String text(String s) {
            return s + "!";
        }
    }

    public static class Derived extends Provider {}

    public interface Maker {
        Thing make();
    }

    public interface Defaults {
        default Thing make() {
            return null;
        }
    }

    public static class Base {
        public Thing make() {
            return null;
        }

        public void nothing() {}

        private Thing secret(Thing t) {
            return t;
        }
    }

    public static class Middle extends Base {}

    /** All of them are started by name in a loader of its own. */
    public static class CallStatic implements Runnable {
        public void run() {
            Provider.make();
        }
    }

    public static class CallArray implements Runnable {
        public void run() {
            Provider.take(1, null, 2);
        }
    }

    public static class CallPlain implements Runnable {
        public void run() {
            System.out.println(Provider.plain(new int[] {3})[0] + Provider.text("text") + new Provider().numbers[1]);
        }
    }

    public static class CallInstance implements Runnable {
        public void run() {
            new Provider().instance();
        }
    }

    public static class CallInherited implements Runnable {
        public void run() {
            Derived.make();
        }
    }

    public static class GetStatic implements Runnable {
        public void run() {
            Object o = Provider.one;
        }
    }

    public static class PutStatic implements Runnable {
        public void run() {
            Provider.one = null;
        }
    }

    public static class GetField implements Runnable {
        public void run() {
            Object o = new Provider().mine;
        }
    }

    public static class GetArray implements Runnable {
        public void run() {
            Object o = new Derived().many;
        }
    }

    public static class CallInterface implements Runnable {
        public void run() {
            Maker m = null;
            m.make();
        }
    }

    public static class CallThenLoad implements Runnable {
        public void run() {
            System.out.println("got " + Provider.make());
            System.out.println(new Thing().getClass().getSimpleName());
        }
    }

    public static class Twice implements Runnable {
        public void run() {
            for (int i = 0; i < 2; i++) {
                try {
                    Provider.make();
                } catch (LinkageError e) {
                    System.out.println("  round " + i + ": " + tell(e));
                }
            }
        }
    }

    public static class Overrider extends Base implements Runnable {
        public Thing make() {
            return null;
        }

        public void run() {
            System.out.println("overrider runs");
        }
    }

    public static class FarOverrider extends Middle implements Runnable {
        public Thing make() {
            return null;
        }

        public void run() {
            System.out.println("far overrider runs");
        }
    }

    public static class Implementer implements Maker, Runnable {
        public Thing make() {
            return null;
        }

        public void run() {
            System.out.println("implementer runs");
        }
    }

    public static class Inheriter extends Base implements Maker, Runnable {
        public void run() {
            System.out.println("inheriter runs");
        }
    }

    public static class DefaultUser implements Defaults, Runnable {
        public void run() {
            System.out.println("default user runs");
        }
    }

    public static class DefaultOverrider implements Defaults, Runnable {
        public Thing make() {
            return null;
        }

        public void run() {
            System.out.println("default overrider runs");
        }
    }

    public static class DefaultAndMaker implements Defaults, Maker, Runnable {
        public Thing make() {
            return Defaults.super.make();
        }

        public void run() {
            System.out.println("default and maker runs");
            make();
        }
    }

    public static class Handles implements Runnable {
        public void run() {
            try {
                MethodType type = MethodType.methodType(Thing.class);
                MethodHandles.lookup().findStatic(Provider.class, "make", type);
            } catch (ReflectiveOperationException e) {
                System.out.println("  " + e.getClass().getSimpleName());
            }
        }
    }

    public static class Reference implements Runnable {
        public void run() {
            java.util.function.Supplier<Object> s = Provider::make;
            System.out.println("  supplied " + s.get());
        }
    }

    public static class Reflective implements Runnable {
        public void run() {
            try {
                System.out.println("  reflection: " + Provider.class.getMethod("make").invoke(null));
            } catch (ReflectiveOperationException e) {
                System.out.println("  " + e);
            }
        }
    }

    /** Defines some classes itself and asks others for some. */
    static class Pick extends ClassLoader {
        private final Set<String> own;
        final Map<String, ClassLoader> elsewhere = new HashMap<>();

        Pick(String name, String... own) {
            super(name, D01Constraints.class.getClassLoader());
            this.own = Set.of(own);
        }

        Pick ask(ClassLoader other, String... names) {
            for (String n : names) {
                elsewhere.put(n, other);
            }
            return this;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> c = findLoadedClass(name);
                if (c != null) {
                    return c;
                }
                String nest = "D01Constraints$";
                if (name.startsWith(nest)) {
                    String simple = name.substring(nest.length());
                    ClassLoader other = elsewhere.get(simple);
                    if (other != null) {
                        return other.loadClass(name);
                    }
                    if (own.contains(simple)) {
                        try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
                            byte[] b = in.readAllBytes();
                            return defineClass(name, b, 0, b.length);
                        } catch (java.io.IOException e) {
                            throw new ClassNotFoundException(name, e);
                        }
                    }
                }
                return super.loadClass(name, resolve);
            }
        }
    }

    public static String tell(Throwable t) {
        return String.valueOf(t).replaceAll("@[0-9a-f]+", "@#");
    }

    /** Starts `user` in a loader that has its own Thing, against providers that have theirs. */
    static void go(String user, boolean early, String... own) {
        System.out.println(user + (early ? " (type loaded before)" : " (type not loaded)"));
        Pick there = new Pick("there", "Thing", "Provider", "Derived", "Maker", "Base", "Middle", "Defaults");
        Pick here = new Pick("here", "Thing", user);
        here.ask(there, "Provider", "Derived", "Maker", "Base", "Middle", "Defaults");
        try {
            there.loadClass("D01Constraints$Thing");
            if (early) {
                Class.forName("D01Constraints$Thing", false, here);
            }
            Class<?> c = Class.forName("D01Constraints$" + user, false, here);
            System.out.println("  loaded");
            Runnable r = (Runnable) c.getConstructor().newInstance();
            r.run();
            System.out.println("  ran");
        } catch (Throwable t) {
            System.out.println("  " + tell(t));
            if (t.getCause() != null) {
                System.out.println("  cause " + tell(t.getCause()));
            }
        }
        try {
            Class<?> own1 = Class.forName("D01Constraints$Thing", false, here);
            System.out.println("  then " + (own1.getClassLoader() == here ? "loads" : "got") + " the type");
        } catch (Throwable t) {
            System.out.println("  then " + tell(t));
        }
    }

    static void transitive() throws Exception {
        System.out.println("transitive");
        Pick a = new Pick("a", "Thing", "Provider");
        Pick b = new Pick("b", "CallStatic", "CallInherited").ask(a, "Provider");
        Pick c = new Pick("c", "Thing");
        b.ask(a, "Thing");
        ((Runnable) Class.forName("D01Constraints$CallStatic", true, b).getConstructor().newInstance()).run();
        System.out.println("  a and b agree");
        b.elsewhere.put("Thing", c);
        try {
            Class<?> got = Class.forName("D01Constraints$Thing", false, b);
            System.out.println("  b has one of " + ((Pick) got.getClassLoader()).getName());
        } catch (Throwable t) {
            System.out.println("  " + tell(t));
        }
        try {
            Class<?> got = Class.forName("D01Constraints$Thing", false, a);
            System.out.println("  a has one of " + ((Pick) got.getClassLoader()).getName());
        } catch (Throwable t) {
            System.out.println("  " + tell(t));
        }
        try {
            Class<?> got = Class.forName("D01Constraints$Thing", false, b);
            System.out.println("  b has one of " + ((Pick) got.getClassLoader()).getName());
        } catch (Throwable t) {
            System.out.println("  " + tell(t));
        }
    }

    /** Two groups of loaders that become one. */
    static void merged() throws Exception {
        System.out.println("merged");
        Pick a = new Pick("a", "Thing", "Provider");
        Pick b = new Pick("b", "Thing", "CallStatic").ask(a, "Provider");
        Pick c = new Pick("c", "Thing", "Provider", "Derived");
        Pick d = new Pick("d", "Thing", "CallInherited").ask(c, "Provider", "Derived");
        run(b, "CallStatic");
        run(d, "CallInherited");
        load(b, "Thing");
        load(d, "Thing");
        Pick e = new Pick("e", "CallStatic", "CallInherited").ask(a, "Provider").ask(c, "Derived");
        run(e, "CallStatic");
        run(e, "CallInherited");
        load(a, "Thing");
        load(c, "Thing");
        load(e, "Thing");
    }

    static void run(ClassLoader l, String name) {
        try {
            Runnable r = (Runnable) Class.forName("D01Constraints$" + name, true, l).getConstructor().newInstance();
            r.run();
            System.out.println("  " + l.getName() + ": " + name + " ran");
        } catch (Throwable t) {
            System.out.println("  " + l.getName() + ": " + tell(t));
        }
    }

    static void load(ClassLoader l, String name) {
        try {
            Class<?> c = Class.forName("D01Constraints$" + name, false, l);
            System.out.println("  " + l.getName() + ": " + name + " of " + c.getClassLoader().getName());
        } catch (Throwable t) {
            System.out.println("  " + l.getName() + ": " + tell(t));
        }
    }

    public static void main(String[] args) throws Exception {
        String[] users = {
            "CallStatic", "CallArray", "CallPlain", "CallInstance", "CallInherited", "GetStatic", "PutStatic",
            "GetField", "GetArray", "CallInterface", "CallThenLoad", "Twice", "Overrider", "FarOverrider",
            "Implementer", "Inheriter", "DefaultUser", "DefaultOverrider", "DefaultAndMaker", "Handles", "Reference",
            "Reflective"
        };
        for (String user : users) {
            go(user, true);
            go(user, false);
        }
        transitive();
        merged();
    }
}
