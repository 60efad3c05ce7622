import java.io.*;
import java.util.*;

/** Custom class loaders: the same class twice, delegation, isolation, unloading of names. */
public class A02Loaders {
    public static class Thing { public static int count; public int n = ++count; @Override public String toString() { return "Thing" + n; } }
    public interface Shared { String hi(); }
    public static class Impl implements Shared { public String hi() { return "hi from " + (getClass().getClassLoader() instanceof Isolating i ? i.id : "app"); } }

    public static class Isolating extends ClassLoader {
        public final String id;
        final Set<String> own;
        Isolating(String id, String... own) { super("loader-" + id, A02Loaders.class.getClassLoader()); this.id = id; this.own = Set.of(own); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> c = findLoadedClass(name);
                if (c == null && own.contains(name)) c = define(name);
                return c != null ? c : super.loadClass(name, resolve);
            }
        }
        Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        String thing = "A02Loaders$Thing";
        Class<?> a = Class.forName(thing, true, new Isolating("a", thing)), b = Class.forName(thing, true, new Isolating("b", thing));
        System.out.println((a == b) + " " + (a == Thing.class) + a.getName().equals(b.getName()));
        System.out.println(a.getDeclaredConstructor().newInstance() + "" + a.getDeclaredConstructor().newInstance() + b.getDeclaredConstructor().newInstance() + new Thing());
        try {
            Thing t = (Thing) a.getDeclaredConstructor().newInstance();
        } catch (ClassCastException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@X"));
        }
        Shared s = (Shared) Class.forName("A02Loaders$Impl", true, new Isolating("c", "A02Loaders$Impl")).getDeclaredConstructor().newInstance();
        System.out.println(s.hi() + " " + new Impl().hi());
        Isolating d = new Isolating("d");
        d.define(thing);
        try {
            d.define(thing);
        } catch (LinkageError e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@X"));
        }
        ClassLoader raw = new ClassLoader() {
            @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
                byte[] junk = {1, 2, 3, 4, 5, 6, 7, 8};
                if (name.equals("Empty")) return defineClass(name, new byte[0], 0, 0);
                if (name.equals("Junk")) return defineClass(name, junk, 0, junk.length);
                if (name.equals("Wrong")) { try (InputStream in = A02Loaders.class.getResourceAsStream("A02Loaders$Shared.class")) { byte[] x = in.readAllBytes(); return defineClass(name, x, 0, x.length); } catch (IOException e) { throw new ClassNotFoundException(); } }
                if (name.equals("java.evil")) return defineClass("java.lang.Evil", junk, 0, 8);
                throw new ClassNotFoundException("never " + name);
            }
        };
        for (String n : new String[] {"Empty", "Junk", "Wrong", "java.evil", "Other"}) {
            try {
                raw.loadClass(n);
            } catch (Throwable t) {
                System.out.println(t);
            }
        }
        System.out.println(String.class.getClassLoader() + " " + ClassLoader.getSystemClassLoader().getName() + ClassLoader.getPlatformClassLoader().getName() + " " + A02Loaders.class.getClassLoader().getParent().getName() + Thread.currentThread().getContextClassLoader().getName());
        System.out.println(A02Loaders.class.getModule().isNamed() + " " + String.class.getModule() + A02Loaders.class.getPackage().getName() + "|" + String.class.getPackage());
        System.out.println(a.getClassLoader().getName() + " " + A02Loaders.class.getProtectionDomain().getCodeSource().getLocation().getProtocol());
    }
}
