import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;

/** Hidden classes, Lookup.defineClass, class data, privateLookupIn. */
public class B01HiddenClasses {
    static byte[] bytes(String name) throws IOException {
        try (InputStream in = B01HiddenClasses.class.getResourceAsStream(name + ".class")) { return in.readAllBytes(); }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        byte[] b = bytes("B01Template");
        MethodHandles.Lookup h1 = l.defineHiddenClass(b, true), h2 = l.defineHiddenClass(b, false, MethodHandles.Lookup.ClassOption.NESTMATE);
        Class<?> c1 = h1.lookupClass(), c2 = h2.lookupClass();
        System.out.println((c1 == c2) + " " + c1.isHidden() + c1.getName().startsWith("B01Template/") + c1.getSimpleName().startsWith("B01Template/") + c1.getCanonicalName() + c2.getNestHost().getSimpleName());
        ((Runnable) c1.getDeclaredConstructor().newInstance()).run();
        ((Runnable) c1.getDeclaredConstructor().newInstance()).run();
        ((Runnable) c2.getDeclaredConstructor().newInstance()).run();
        new B01Template().run();
        try {
            Class.forName(c1.getName());
        } catch (ClassNotFoundException e) {
            System.out.println("not by name");
        }
        Class<?> d = l.defineHiddenClassWithClassData(b, "the data", true).lookupClass();
        Method m = d.getDeclaredMethod("data");
        m.setAccessible(true);
        System.out.println(m.invoke(null));
        System.out.println((int) l.findVarHandle(B01Template.class, "x", int.class).get(new B01Template()));
        MethodHandles.Lookup p = MethodHandles.privateLookupIn(B01Template.class, l);
        System.out.println((int) p.findGetter(B01Template.class, "x", int.class).invoke(new B01Template()) + " " + p.lookupClass().getSimpleName() + p.hasFullPrivilegeAccess());
        try {
            MethodHandles.privateLookupIn(String.class, l);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@X"));
        }
        try {
            l.defineHiddenClass(new byte[] {1, 2, 3}, true);
        } catch (ClassFormatError e) {
            System.out.println(e);
        }
        System.out.println(l.in(String.class).lookupModes() + " " + l.dropLookupMode(MethodHandles.Lookup.PRIVATE).hasPrivateAccess() + " " + MethodHandles.publicLookup());
    }
}

class B01Template implements Runnable {
    B01Template() {}
    static int runs;
    int x = 5;
    public void run() { runs++; System.out.println("template " + runs + " " + getClass().isHidden()); }
    static Object data() throws Exception { return MethodHandles.classData(MethodHandles.lookup(), "_", Object.class); }
}
