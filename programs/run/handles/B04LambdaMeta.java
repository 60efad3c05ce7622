import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.function.*;

/** LambdaMetafactory by hand, MethodHandleProxies, call sites, constant bootstraps. */
public class B04LambdaMeta {
    static String hello(String s) { return "hello " + s; }
    static int count(Object o) { return o.toString().length(); }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle hello = l.findStatic(B04LambdaMeta.class, "hello", MethodType.methodType(String.class, String.class));
        CallSite site = LambdaMetafactory.metafactory(l, "apply", MethodType.methodType(Function.class), MethodType.methodType(Object.class, Object.class), hello, hello.type());
        Function<String, String> f = (Function<String, String>) site.getTarget().invokeExact();
        System.out.println(f.apply("meta"));
        CallSite captured = LambdaMetafactory.metafactory(l, "get", MethodType.methodType(Supplier.class, String.class), MethodType.methodType(Object.class), hello, MethodType.methodType(String.class));
        System.out.println(((Supplier<String>) captured.getTarget().invokeExact("captured")).get());
        Function<Object, Object> proxy = MethodHandleProxies.asInterfaceInstance(Function.class, hello.asType(MethodType.genericMethodType(1)));
        System.out.println(proxy.apply("proxied") + " " + MethodHandleProxies.isWrapperInstance(proxy));
        MutableCallSite m = new MutableCallSite(MethodType.methodType(String.class, String.class));
        MethodHandle dyn = m.dynamicInvoker();
        m.setTarget(hello);
        System.out.println((String) dyn.invokeExact("one"));
        m.setTarget(l.findVirtual(String.class, "toUpperCase", MethodType.methodType(String.class)));
        MutableCallSite.syncAll(new MutableCallSite[] {m});
        System.out.println((String) dyn.invokeExact("two"));
        System.out.println(new ConstantCallSite(hello).getTarget() == hello);
        VolatileCallSite v = new VolatileCallSite(hello);
        System.out.println(v.dynamicInvoker().invoke("volatile"));
        SwitchPoint sp = new SwitchPoint();
        MethodHandle guarded = sp.guardWithTest(hello, MethodHandles.identity(String.class));
        System.out.println(guarded.invoke("valid"));
        SwitchPoint.invalidateAll(new SwitchPoint[] {sp});
        System.out.println(guarded.invoke("invalid") + " " + sp.hasBeenInvalidated());
        MethodHandle concat = (MethodHandle) StringConcatFactory.makeConcatWithConstants(l, "x", MethodType.methodType(String.class, int.class, String.class), "a\1b\1c\2", "K").dynamicInvoker();
        System.out.println((String) concat.invokeExact(5, "s"));
        System.out.println(ConstantBootstraps.enumConstant(l, "RUNNABLE", Thread.State.class) + " " + ConstantBootstraps.primitiveClass(l, "I", Class.class));
        ClassValue<String> cv = new ClassValue<>() { int n; @Override protected String computeValue(Class<?> c) { return c.getSimpleName() + n++; } };
        System.out.println(cv.get(String.class) + cv.get(Integer.class) + cv.get(String.class));
    }
}
