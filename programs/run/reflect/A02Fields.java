import java.lang.reflect.*;
import java.util.*;

/** Fields of all types by reflection; constructors; arrays. */
public class A02Fields {
    public boolean z; byte b; char c; short s; int i = 5; long l; float f; double d; protected String t = "t"; private final int fin = 9;
    static int si = 3;
    static final String SF = "sf";
    volatile transient int vt;

    A02Fields() {}
    private A02Fields(int i, String t) { this.i = i; this.t = t; }
    A02Fields(boolean fail) throws Exception { throw new Exception("ctor"); }
    static abstract class Abs { Abs() {} }

    public static void main(String[] args) throws Exception {
        A02Fields o = new A02Fields();
        for (Field f : A02Fields.class.getDeclaredFields()) System.out.println(f + " = " + f.get(o) + " " + f.getType() + " " + Modifier.toString(f.getModifiers()));
        Class<?> c = A02Fields.class;
        c.getDeclaredField("z").setBoolean(o, true);
        c.getDeclaredField("b").setByte(o, (byte) 1);
        c.getDeclaredField("c").setChar(o, 'c');
        c.getDeclaredField("s").setShort(o, (short) 2);
        c.getDeclaredField("i").setInt(o, 3);
        c.getDeclaredField("l").setInt(o, 4);
        c.getDeclaredField("f").setFloat(o, 5);
        c.getDeclaredField("d").set(o, 6f);
        c.getDeclaredField("t").set(o, null);
        c.getDeclaredField("si").set(null, 77);
        System.out.println("" + o.z + o.b + o.c + o.s + o.i + o.l + o.f + o.d + o.t + si);
        System.out.println(c.getDeclaredField("i").getLong(o) + c.getDeclaredField("b").getDouble(o));
        Field fin = c.getDeclaredField("fin");
        String[] bad = {"final", "type", "null", "wrong", "narrow", "missing", "static final"};
        for (String x : bad) {
            try {
                switch (x) {
                    case "final" -> fin.setInt(o, 1);
                    case "type" -> c.getDeclaredField("i").set(o, "s");
                    case "null" -> c.getDeclaredField("i").set(null, 1);
                    case "wrong" -> c.getDeclaredField("i").get("x");
                    case "narrow" -> c.getDeclaredField("i").setLong(o, 1L);
                    case "missing" -> c.getDeclaredField("nope");
                    default -> c.getDeclaredField("SF").set(null, "x");
                }
            } catch (Exception e) {
                System.out.println(e);
            }
        }
        fin.setAccessible(true);
        fin.setInt(o, 10);
        System.out.println(fin.getInt(o));
        Constructor<?> k = c.getDeclaredConstructor(int.class, String.class);
        A02Fields made = (A02Fields) k.newInstance(8, "made");
        System.out.println(made.i + made.t + k + k.getParameterCount());
        try {
            c.getDeclaredConstructor(boolean.class).newInstance(true);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause());
        }
        try {
            Abs.class.getDeclaredConstructor().newInstance();
        } catch (InstantiationException e) {
            System.out.println(e);
        }
        Object arr = Array.newInstance(int.class, 3);
        Array.setInt(arr, 1, 5);
        Array.set(arr, 2, (byte) 6);
        System.out.println(Array.getLength(arr) + " " + Array.get(arr, 1) + Array.getLong(arr, 2) + Arrays.toString((int[]) arr));
        Object multi = Array.newInstance(String.class, 2, 3);
        System.out.println(multi.getClass() + " " + Array.getLength(Array.get(multi, 1)));
        for (int n = 0; n < 4; n++) {
            try {
                switch (n) {
                    case 0 -> Array.get(arr, 3);
                    case 1 -> Array.set(arr, 0, "x");
                    case 2 -> Array.getLength("no");
                    default -> Array.newInstance(int.class, -2);
                }
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
    }
}
