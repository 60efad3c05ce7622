import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Annotations in every place of code that has a type. */
public class Annotated {
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @interface A {}

    static <T> T same(T value) {
        return value;
    }

    <T> Annotated(T value) {}

    static Object all(Object o, int times) throws IOException {
        @A String local = "a";
        for (int i = 0; i < times; i++) {
            @A Integer again = i;
            local += again;
        }
        if (times > 2) {
            @A List<@A String> other = new ArrayList<@A String>();
            other.add(local);
        }
        try (@A Reader in = new StringReader(local)) {
            local += in.read();
        } catch (@A IllegalStateException e) {
            local += e;
        } catch (@A RuntimeException e) {
            local += e.getMessage();
        }
        boolean is = o instanceof @A String;
        Object cast = (@A Comparable<?>) o;
        Supplier<Object> make = @A Object::new;
        Function<Object, String> show = @A Object::toString;
        Object typed = Annotated.<@A String>same("x");
        Object made = new <@A Integer> Annotated(3);
        return is + "" + cast + make + show + typed + made;
    }
}
