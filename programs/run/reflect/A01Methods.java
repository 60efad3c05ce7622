import java.lang.reflect.*;
import java.util.*;

/** Methods: finding, invoking, exceptions, varargs, accessibility. */
public class A01Methods {
    public int add(int a, int b) { return a + b; }
    public static String stat(String... xs) { return Arrays.toString(xs); }
    private long secret(long x) { return x * 2; }
    void fails() throws java.io.IOException { throw new java.io.IOException("io"); }
    public Object all(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o) { return "" + z + b + c + s + i + l + f + d + o; }
    void nothing() {}

    public static void main(String[] args) throws Exception {
        A01Methods o = new A01Methods();
        Method add = A01Methods.class.getMethod("add", int.class, int.class);
        System.out.println(add.invoke(o, 3, 4) + " " + add + " " + add.getReturnType() + Arrays.toString(add.getParameterTypes()) + Modifier.toString(add.getModifiers()));
        System.out.println(add.invoke(o, (byte) 1, 'a'));
        Method stat = A01Methods.class.getMethod("stat", String[].class);
        System.out.println(stat.invoke(null, (Object) new String[] {"a", "b"}) + " " + stat.isVarArgs() + " " + stat.toGenericString());
        Method secret = A01Methods.class.getDeclaredMethod("secret", long.class);
        System.out.println(secret.invoke(o, 21L) + " " + secret.invoke(o, 5));
        System.out.println(A01Methods.class.getMethod("all", boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class, double.class, Object.class)
                .invoke(o, true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.0, null));
        System.out.println(A01Methods.class.getDeclaredMethod("nothing").invoke(o));
        Object[][] bad = {{add, o, new Object[] {1}}, {add, o, new Object[] {1, 2L}}, {add, o, new Object[] {1, null}}, {add, "x", new Object[] {1, 2}}, {add, null, new Object[] {1, 2}}, {A01Methods.class.getDeclaredMethod("fails"), o, null}, {add, o, null}};
        for (Object[] b : bad) {
            try {
                System.out.println(((Method) b[0]).invoke(b[1], (Object[]) b[2]));
            } catch (InvocationTargetException e) {
                System.out.println("target " + e.getCause() + " " + e.getMessage());
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
        try {
            String.class.getDeclaredMethod("isLatin1").invoke("x");
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        try {
            String.class.getDeclaredMethod("isLatin1").setAccessible(true);
        } catch (InaccessibleObjectException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@X"));
        }
        Method[] ms = A01Methods.class.getDeclaredMethods();
        Arrays.sort(ms, Comparator.comparing(Method::getName));
        for (Method m : ms) System.out.println(m.getName() + " " + m.getParameterCount() + " " + Arrays.toString(m.getExceptionTypes()));
        System.out.println(String.class.getMethod("valueOf", char[].class).invoke(null, new char[] {'o', 'k'}));
        for (int i = 0; i < 30; i++) if ((int) add.invoke(o, i, i) != 2 * i) System.out.println("wrong");
        System.out.println(add.equals(A01Methods.class.getMethod("add", int.class, int.class)) + " " + add.hashCode());
    }
}
