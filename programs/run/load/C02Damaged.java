import java.io.InputStream;
import java.util.*;

/** Damaged class files: truncation, versions, and code that does not verify. */
public class C02Damaged {
    static byte[] original;

    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
    }

    static String attempt(byte[] b) {
        try {
            Class<?> c = new Loader().define(b);
            java.lang.reflect.Method add = c.getDeclaredMethod("add", int.class, int.class);
            add.setAccessible(true);
            return "value " + add.invoke(null, 3, 4);
        } catch (LinkageError e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage().split("\n")[0];
        } catch (Exception e) {
            return e.getClass().getSimpleName() + " " + e.getCause();
        }
    }
    static byte[] patch(int... fromTo) {
        byte[] b = original.clone();
        int n = fromTo.length / 2;
        for (int i = 0; i + n <= b.length; i++) {
            boolean match = true;
            for (int k = 0; k < n; k++) match &= (b[i + k] & 0xff) == fromTo[k];
            if (match) {
                for (int k = 0; k < n; k++) b[i + k] = (byte) fromTo[n + k];
                return b;
            }
        }
        throw new IllegalStateException("pattern not found");
    }

    public static void main(String[] args) throws Exception {
        try (InputStream in = C02Damaged.class.getResourceAsStream("C02Victim.class")) { original = in.readAllBytes(); }
        System.out.println(attempt(original));
        Map<String, Integer> kinds = new TreeMap<>();
        for (int i = 0; i < original.length; i++) kinds.merge(attempt(Arrays.copyOf(original, i)).split(":")[0], 1, Integer::sum);
        System.out.println(kinds.keySet());
        System.out.println(attempt(Arrays.copyOf(original, original.length - 1)) + "; " + attempt(Arrays.copyOf(original, original.length + 1)));
        byte[] b = original.clone();
        b[7] = 99;
        System.out.println(attempt(b));
        b = original.clone();
        b[0] = 0;
        System.out.println(attempt(b));
        System.out.println("ladd: " + attempt(patch(0x1a, 0x1b, 0x60, 0xac, 0x1a, 0x1b, 0x61, 0xac)));
        System.out.println("isub: " + attempt(patch(0x1a, 0x1b, 0x60, 0xac, 0x1a, 0x1b, 0x64, 0xac)));
        System.out.println("aload: " + attempt(patch(0x1a, 0x1b, 0x60, 0xac, 0x2a, 0x1b, 0x60, 0xac)));
        System.out.println("lreturn: " + attempt(patch(0x1a, 0x1b, 0x60, 0xac, 0x1a, 0x1b, 0x60, 0xad)));
        System.out.println("fall off: " + attempt(patch(0x1a, 0x1b, 0x60, 0xac, 0x1a, 0x1b, 0x60, 0x00)));
        System.out.println("underflow: " + attempt(patch(0x1a, 0x1b, 0x60, 0xac, 0x1a, 0x00, 0x60, 0xac)));
        System.out.println("bad opcode: " + attempt(patch(0x1a, 0x1b, 0x60, 0xac, 0x1a, 0x1b, 0xfe, 0xac)));
        System.out.println("local: " + attempt(patch(0x1a, 0x1b, 0x60, 0xac, 0x1a, 0x1d, 0x60, 0xac)));
        System.out.println("pop2: " + attempt(patch(0x1a, 0x1b, 0x60, 0xac, 0x1a, 0x1b, 0x58, 0xac)));
    }
}

class C02Victim {
    public static int add(int a, int b) {
        return a + b;
    }
}
