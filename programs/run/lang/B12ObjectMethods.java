import java.util.*;

/** Methods of Object and Class that a program can rely on. */
public class B12ObjectMethods {
    static class Sheep implements Cloneable {
        int[] wool = {1, 2};
        String name = "dolly";
        @Override public Sheep clone() throws CloneNotSupportedException { return (Sheep) super.clone(); }
    }
    static class Goat { Object copy() throws CloneNotSupportedException { return super.clone(); } }

    public static void main(String[] args) throws Exception {
        Sheep s = new Sheep();
        Sheep t = s.clone();
        t.wool[0] = 9;
        t.name = "molly";
        System.out.println(s.wool[0] + s.name + t.name + (s.wool == t.wool) + (s.getClass() == t.getClass()));
        try {
            new Goat().copy();
        } catch (CloneNotSupportedException e) {
            System.out.println(e.getMessage());
        }
        Object o = new Object();
        System.out.println(o.toString().startsWith("java.lang.Object@") + " " + (o.hashCode() == System.identityHashCode(o)) + " "
                + (o.hashCode() == o.hashCode()) + " " + System.identityHashCode(null) + " " + o.equals(o) + o.equals(null));
        System.out.println(Integer.toHexString(o.hashCode()).equals(o.toString().split("@")[1]));
        Class<?>[] all = {int.class, void.class, Integer.class, int[].class, String[][].class, Map.Entry.class, Runnable.class,
            Thread.State.class, Override.class, Sheep.class, new Object() {}.getClass()};
        for (Class<?> c : all) {
            System.out.println(c + "|" + c.getName() + "|" + c.getSimpleName() + "|" + c.getTypeName() + "|" + c.getCanonicalName() + "|"
                    + c.getPackageName() + "|" + c.isPrimitive() + c.isArray() + c.isInterface() + c.isEnum() + c.isAnnotation()
                    + c.isMemberClass() + c.isAnonymousClass() + "|" + java.lang.reflect.Modifier.toString(c.getModifiers()) + "|" + c.getSuperclass()
                    + "|" + c.getComponentType() + "|" + (c == void.class ? "" : c.arrayType().getName()) + "|" + c.descriptorString());
        }
        System.out.println(Number.class.isAssignableFrom(Integer.class) + " " + Integer.class.isAssignableFrom(Number.class) + " "
                + int.class.isAssignableFrom(Integer.class) + " " + Object.class.isAssignableFrom(int[].class) + " " + String.class.isInstance("x"));
        System.out.println(Number.class.cast(3) + " " + Arrays.toString(ArrayList.class.getInterfaces()));
        try {
            Integer.class.cast("x");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Class.forName("[Ljava.lang.String;") + " " + Class.forName("[[I").getComponentType());
        for (String bad : new String[] {"int", "java/lang/String", "String", "[Lint;", ""}) {
            try {
                System.out.println(Class.forName(bad));
            } catch (ClassNotFoundException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
