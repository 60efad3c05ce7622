import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;

/** Annotations: all element types, defaults, repeatable, inherited, type annotations. */
public class B01Annotations {
    enum Level { LOW, HIGH }
    @Retention(RetentionPolicy.RUNTIME) @interface All {
        boolean z() default true; byte b() default 1; char c() default 'c'; short s() default 2; int i() default 3; long l() default 4; float f() default 5; double d() default 6;
        String t() default "text"; Class<?> k() default Object.class; Level e() default Level.LOW; Tag a() default @Tag("inner"); int[] ints() default {1, 2}; String[] strs() default {}; Tag[] tags() default {@Tag("x"), @Tag("y")}; Class<?>[] ks() default {int.class, String[].class};
    }
    @Retention(RetentionPolicy.RUNTIME) @Repeatable(Tags.class) @interface Tag { String value(); int n() default 0; }
    @Retention(RetentionPolicy.RUNTIME) @interface Tags { Tag[] value(); }
    @Retention(RetentionPolicy.RUNTIME) @Inherited @interface Inh { int value(); }
    @Retention(RetentionPolicy.CLASS) @interface Invisible {}
    @Retention(RetentionPolicy.RUNTIME) @Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER}) @interface Use { String value(); }

    @All(i = 42, e = Level.HIGH, k = String.class, strs = "single") @Inh(5) @Tag("one") @Tag(value = "two", n = 2) @Invisible
    static class Base<@Use("param") T> {
        @Deprecated(since = "9", forRemoval = true) public int field;
        @Use("field") List<@Use("arg") String> @Use("array") [] typed;
        @Tag("m") public @Use("return") String method(@Tag("p") int p, String q, @Tag("r1") @Tag("r2") Object r) throws @Use("throws") RuntimeException { return null; }
    }
    @Tag("sub") static class Sub extends Base<String> {}

    public static void main(String[] args) throws Exception {
        All a = Base.class.getAnnotation(All.class);
        System.out.println(a.z() + " " + a.b() + a.c() + a.s() + a.i() + a.l() + a.f() + a.d() + a.t() + a.k() + a.e() + a.a() + Arrays.toString(a.ints()) + Arrays.toString(a.strs()) + Arrays.toString(a.tags()) + Arrays.toString(a.ks()));
        System.out.println(a);
        System.out.println(a.annotationType() + " " + a.equals(Base.class.getAnnotation(All.class)) + " " + (a.hashCode() == Base.class.getAnnotation(All.class).hashCode()));
        System.out.println(Arrays.toString(Base.class.getAnnotationsByType(Tag.class)) + " " + Base.class.getAnnotation(Tag.class) + " " + Base.class.getAnnotation(Tags.class).value().length);
        System.out.println(Sub.class.getAnnotation(Inh.class) + " " + Sub.class.getAnnotation(All.class) + " " + Sub.class.getDeclaredAnnotations().length + " " + Sub.class.getAnnotations().length);
        System.out.println(Base.class.isAnnotationPresent(Invisible.class));
        Field f = Base.class.getField("field");
        System.out.println(f.getAnnotation(Deprecated.class));
        Method m = Base.class.getMethods()[0].getName().equals("method") ? Base.class.getMethods()[0] : Base.class.getMethod("method", int.class, String.class, Object.class);
        System.out.println(Arrays.deepToString(m.getParameterAnnotations()) + " " + m.getParameters()[2].getAnnotationsByType(Tag.class).length);
        System.out.println(Arrays.toString(m.getAnnotatedReturnType().getAnnotations()) + Arrays.toString(m.getAnnotatedExceptionTypes()[0].getAnnotations()));
        AnnotatedArrayType t = (AnnotatedArrayType) Base.class.getDeclaredField("typed").getAnnotatedType();
        System.out.println(Arrays.toString(t.getAnnotations()) + " " + t);
        AnnotatedParameterizedType e = (AnnotatedParameterizedType) t.getAnnotatedGenericComponentType();
        System.out.println(Arrays.toString(e.getAnnotations()) + Arrays.toString(e.getAnnotatedActualTypeArguments()[0].getAnnotations()));
        System.out.println(Arrays.toString(Base.class.getTypeParameters()[0].getAnnotations()));
        System.out.println(All.class.getDeclaredMethod("ints").getDefaultValue().getClass() + " " + Tag.class.getMethod("value").getDefaultValue() + " " + All.class.isAnnotation());
        System.out.println(Runnable.class.isAnnotationPresent(FunctionalInterface.class));
    }
}
