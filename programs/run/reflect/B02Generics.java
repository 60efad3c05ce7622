import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

/** Generic signatures, type variables, wildcards, parameters, records, nesting by reflection. */
public class B02Generics {
    static abstract class Repo<K extends Comparable<K> & java.io.Serializable, V> implements Function<K, List<? extends V>> {
        Map<K, ? super V[]>[] table;
        <E extends Exception> V find(final K key, List<?> rest, int... more) throws E, java.io.IOException { return null; }
        Repo(Class<? extends V> c) {}
    }
    static abstract class Users extends Repo<String, Map.Entry<Integer, long[]>> { Users() { super(null); } }
    record Rec<T>(int a, List<T> b, String... c) {}
    class InnerOne<Q> { class InnerTwo<R> { InnerOne<Q>.InnerTwo<R> self; } }
    static Object local() { class Local {} return new Local() {}; }

    public static void main(String[] args) throws Exception {
        Class<?> c = Repo.class;
        for (TypeVariable<?> v : c.getTypeParameters()) System.out.println(v + " " + Arrays.toString(v.getBounds()) + v.getGenericDeclaration());
        System.out.println(Arrays.toString(c.getGenericInterfaces()) + " " + Users.class.getGenericSuperclass());
        System.out.println(c.getDeclaredField("table").getGenericType());
        Method m = null;
        for (Method x : c.getDeclaredMethods()) if (x.getName().equals("find")) m = x;
        System.out.println(m.toGenericString());
        System.out.println(m.getGenericReturnType() + Arrays.toString(m.getGenericParameterTypes()) + Arrays.toString(m.getGenericExceptionTypes()));
        for (Parameter p : m.getParameters()) System.out.println(p + " " + p.getName() + p.isNamePresent() + p.isVarArgs() + Modifier.toString(p.getModifiers()) + p.getParameterizedType());
        ParameterizedType p = (ParameterizedType) Users.class.getGenericSuperclass();
        System.out.println(p.getRawType() + " " + p.getOwnerType() + " " + ((ParameterizedType) p.getActualTypeArguments()[1]).getActualTypeArguments()[1]);
        WildcardType w = (WildcardType) ((ParameterizedType) ((ParameterizedType) c.getGenericInterfaces()[0]).getActualTypeArguments()[1]).getActualTypeArguments()[0];
        System.out.println(w + Arrays.toString(w.getUpperBounds()) + Arrays.toString(w.getLowerBounds()));
        System.out.println(InnerOne.InnerTwo.class.getDeclaredField("self").getGenericType());
        System.out.println(Rec.class.isRecord());
        for (RecordComponent r : Rec.class.getRecordComponents()) System.out.println(r + " " + r.getGenericType() + r.getAccessor().invoke(new Rec<>(1, List.of("x"), "y")).getClass().isArray());
        System.out.println(Arrays.toString(Rec.class.getDeclaredConstructors()[0].getParameters()) + Rec.class.getDeclaredConstructors()[0].toGenericString());
        Object l = local();
        System.out.println(l.getClass().getEnclosingMethod() + " " + l.getClass().getEnclosingClass() + l.getClass().getSuperclass().isLocalClass() + l.getClass().getSuperclass().getSimpleName());
        Class<?>[] inner = B02Generics.class.getDeclaredClasses();
        Arrays.sort(inner, Comparator.comparing(Class::getName));
        for (Class<?> x : inner) System.out.println(x.getName() + " " + x.getDeclaringClass().getSimpleName() + Modifier.toString(x.getModifiers()) + x.toGenericString());
        System.out.println(InnerOne.class.getNestHost() + " " + B02Generics.class.isNestmateOf(Rec.class) + B02Generics.class.getNestMembers().length);
        System.out.println(Map.class.getMethod("entry", Object.class, Object.class).toGenericString());
        System.out.println(Collections.class.getMethod("max", Collection.class).toGenericString());
    }
}
