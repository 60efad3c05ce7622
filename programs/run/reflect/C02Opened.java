import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Packages of java.base that options open and export, one that they do not, and sizes. */
public class C02Opened {
    static int depth;

    static void deeper() {
        depth++;
        deeper();
    }

    static void open(String what, AccessibleObject member) {
        try {
            member.setAccessible(true);
            System.out.println(what + ": open");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName());
        }
    }

    public static void main(String[] args) throws Exception {
        Field value = String.class.getDeclaredField("value");
        open("java.lang", value);
        System.out.println(((byte[]) value.get("four")).length);
        open("java.util", java.util.ArrayList.class.getDeclaredField("size"));
        open("java.io", java.io.File.class.getDeclaredField("path"));
        Method booted = Class.forName("jdk.internal.misc.VM").getMethod("isBooted");
        System.out.println("exported: " + booted.invoke(null));
        Module base = Object.class.getModule();
        Module own = C02Opened.class.getModule();
        for (String name : new String[] {"java.lang", "java.util", "java.io", "jdk.internal.misc"}) {
            System.out.println(name + " " + base.isOpen(name, own) + " " + base.isExported(name, own));
        }
        System.out.println(ModuleLayer.boot().findModule("java.sql").isPresent());
        System.out.println(ModuleLayer.boot().findModule("java.desktop").isPresent());
        System.out.println(System.getProperty("jdk.module.addopens.0"));
        System.out.println(Runtime.getRuntime().maxMemory() <= 256 << 20);
        try {
            deeper();
        } catch (StackOverflowError e) {
            System.out.println(depth > 100_000);
        }
    }
}
