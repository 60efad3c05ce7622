import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Classes that are their own supertypes, in one loader, across loaders and threads. */
public class D02Circular {
    /** A class without members. */
    static byte[] bytes(String name, String parent, boolean isInterface, String... interfaces) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            DataOutputStream d = new DataOutputStream(out);
            d.writeInt(0xCAFEBABE);
            d.writeInt(52);
            d.writeShort(5 + 2 * interfaces.length);
            List<String> names = new ArrayList<>(List.of(name, parent));
            names.addAll(List.of(interfaces));
            for (int i = 0; i < names.size(); i++) {
                d.writeByte(7);
                d.writeShort(2 * i + 2);
                d.writeByte(1);
                d.writeUTF(names.get(i));
            }
            d.writeShort(isInterface ? 0x0601 : 0x0021);
            d.writeShort(1);
            d.writeShort(3);
            d.writeShort(interfaces.length);
            for (int i = 0; i < interfaces.length; i++) {
                d.writeShort(5 + 2 * i);
            }
            d.writeShort(0);
            d.writeShort(0);
            d.writeShort(0);
            return out.toByteArray();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static class Maker extends ClassLoader {
        final Map<String, byte[]> classes = new HashMap<>();
        final Map<String, ClassLoader> elsewhere = new HashMap<>();
        final boolean nameless;
        boolean quiet;
        CountDownLatch before;

        Maker(String name) {
            this(name, false);
        }

        Maker(String name, boolean nameless) {
            super(name, D02Circular.class.getClassLoader());
            this.nameless = nameless;
        }

        Maker add(String name, String parent, String... interfaces) {
            classes.put(name, bytes(name, parent, false, interfaces));
            return this;
        }

        Maker face(String name, String... interfaces) {
            classes.put(name, bytes(name, "java/lang/Object", true, interfaces));
            return this;
        }

        Maker ask(ClassLoader other, String... names) {
            for (String n : names) {
                elsewhere.put(n, other);
            }
            return this;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> c = findLoadedClass(name);
            if (c != null) {
                return c;
            }
            byte[] b = classes.get(name);
            if (!quiet && !name.startsWith("java.")) {
                System.out.println("    " + getName() + " is asked for " + name);
            }
            ClassLoader other = elsewhere.get(name);
            if (other != null) {
                return other.loadClass(name);
            }
            if (b == null) {
                return super.loadClass(name, resolve);
            }
            try {
                return defineClass(nameless ? null : name, b, 0, b.length);
            } catch (LinkageError e) {
                if (!quiet) {
                    System.out.println("    " + name + " fails: " + e);
                }
                throw e;
            }
        }
    }

    static void load(ClassLoader l, String name) {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println("  " + Class.forName(name, false, l));
            } catch (Throwable t) {
                System.out.println("  " + t + (t.getCause() == null ? "" : " because of " + t.getCause()));
                System.out.println("    at " + t.getStackTrace()[0].getMethodName());
            }
        }
    }

    static final String OBJECT = "java/lang/Object";

    public static void main(String[] args) throws Exception {
        System.out.println("itself");
        load(new Maker("l").add("A", "A"), "A");
        System.out.println("two");
        load(new Maker("l").add("A", "B").add("B", "A"), "A");
        System.out.println("three, entered outside");
        load(new Maker("l").add("X", "A").add("A", "B").add("B", "C").add("C", "A"), "X");
        System.out.println("order of supertypes");
        load(new Maker("l").add("A", "P", "I", "J").add("P", OBJECT, "K").face("I").face("J", "I").face("K"), "A");
        System.out.println("interface of itself");
        load(new Maker("l").face("I", "I"), "I");
        System.out.println("interfaces");
        load(new Maker("l").face("I", "J").face("J", "K").face("K", "I"), "I");
        System.out.println("class through interface");
        load(new Maker("l").add("A", OBJECT, "I").face("I", "A"), "A");
        System.out.println("no names given");
        load(new Maker("l", true).add("A", "B").add("B", "A"), "A");
        System.out.println("across loaders");
        Maker one = new Maker("one").add("A", "B");
        Maker two = new Maker("two").add("B", "A");
        one.ask(two, "B");
        two.ask(one, "A");
        load(one, "A");
        load(two, "B");
        System.out.println("same name, other loader");
        Maker upper = new Maker("upper").add("A", OBJECT);
        Maker lower = new Maker("lower");
        lower.classes.put("A", bytes("A", "B", false));
        lower.ask(upper, "B");
        upper.add("B", "A");
        load(lower, "A");
        System.out.println("asked for on the way");
        Maker curious = new Maker("curious") {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.equals("B")) {
                    try {
                        System.out.println("    on the way: " + Class.forName("A", false, this));
                    } catch (LinkageError e) {
                        System.out.println("    on the way: " + e);
                    }
                }
                return super.loadClass(name, resolve);
            }
        };
        load(curious.add("A", "B").add("B", OBJECT), "A");
        System.out.println("threads");
        Maker shared = new Maker("shared").add("A", "B").add("B", "C").add("C", "D").add("D", "A");
        shared.quiet = true;
        List<Thread> threads = new ArrayList<>();
        boolean[] failed = new boolean[8];
        for (int i = 0; i < failed.length; i++) {
            int n = i;
            Thread t = new Thread(() -> {
                try {
                    Class.forName(String.valueOf((char) ('A' + n % 4)), false, shared);
                } catch (ClassNotFoundException e) {
                    System.out.println(e);
                } catch (ClassCircularityError e) {
                    failed[n] = true;
                } catch (LinkageError e) {
                    System.out.println(e);
                }
            });
            threads.add(t);
            t.start();
        }
        for (Thread t : threads) {
            t.join();
        }
        int count = 0;
        for (boolean f : failed) {
            count += f ? 1 : 0;
        }
        System.out.println("  " + count + " threads failed");
    }
}
