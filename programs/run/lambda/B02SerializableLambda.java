import java.io.*;
import java.util.function.*;

/** Lambdas that can be serialized, with captured values. */
public class B02SerializableLambda {
    interface SerFunction<A, B> extends Function<A, B>, Serializable {}

    @SuppressWarnings("unchecked")
    static <T> T copy(T t) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) { out.writeObject(t); }
        return (T) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    public static void main(String[] args) throws Exception {
        int n = 5;
        String s = "cap";
        SerFunction<Integer, String> f = x -> s + (x + n);
        System.out.println(copy(f).apply(10));
        Supplier<String> g = (Supplier<String> & Serializable) () -> "plain";
        System.out.println(copy(g).get());
        SerFunction<String, Integer> ref = String::length;
        System.out.println(copy(ref).apply("four"));
        SerFunction<String, StringBuilder> ctor = StringBuilder::new;
        System.out.println(copy(ctor).apply("sb").reverse());
        try {
            Runnable r = () -> { };
            copy(r);
        } catch (NotSerializableException e) {
            System.out.println(e.getMessage().startsWith("B02SerializableLambda$$Lambda"));
        }
        Object o = new Object();
        SerFunction<Integer, Object> bad = x -> o;
        try {
            copy(bad);
        } catch (NotSerializableException e) {
            System.out.println(e.getMessage());
        }
    }
}
