import java.lang.reflect.*;
import java.util.*;

/** Dynamic proxies: dispatch, Object methods, default methods, exceptions. */
public class B03Proxies {
    interface Greeter { String greet(String s); default String twice(String s) { return greet(s) + greet(s); } int count(int a, long b, double c, boolean d); void fail() throws java.io.IOException; }
    interface Other { void other(); }
    static class Undeclared extends Exception { Undeclared() { super("undeclared"); } }

    public static void main(String[] args) throws Exception {
        List<String> log = new ArrayList<>();
        InvocationHandler h = (proxy, method, a) -> {
            log.add(method.getName() + (a == null ? "" : Arrays.toString(a)));
            switch (method.getName()) {
                case "greet": return "<" + a[0] + ">";
                case "twice": return InvocationHandler.invokeDefault(proxy, method, a);
                case "count": return (int) a[0] + (int) (long) a[1];
                case "fail": if (log.size() % 2 == 0) throw new java.io.IOException("declared"); throw new Undeclared();
                case "hashCode": return 42;
                case "equals": return proxy == a[0];
                case "toString": return "proxy!";
                default: return null;
            }
        };
        Greeter g = (Greeter) Proxy.newProxyInstance(B03Proxies.class.getClassLoader(), new Class<?>[] {Greeter.class, Other.class}, h);
        System.out.println(g.greet("x") + g.twice("y") + g.count(3, 4L, 5.0, true) + g.hashCode() + g + g.equals(g) + g.equals(null));
        ((Other) g).other();
        for (int i = 0; i < 2; i++) {
            try {
                g.fail();
            } catch (java.io.IOException e) {
                System.out.println(e);
            } catch (UndeclaredThrowableException e) {
                System.out.println(e.getCause() + " " + e.getMessage());
                log.add("pad");
            }
        }
        System.out.println(log);
        System.out.println(Proxy.isProxyClass(g.getClass()) + " " + (Proxy.getInvocationHandler(g) == h) + " " + (g instanceof Other) + " " + Modifier.toString(g.getClass().getModifiers()));
        Comparator<?> bad = (Comparator<?>) Proxy.newProxyInstance(B03Proxies.class.getClassLoader(), new Class<?>[] {Comparator.class}, (p, m, a) -> m.getName().equals("compare") ? "text" : null);
        try {
            bad.compare(null, null);
        } catch (ClassCastException e) {
            System.out.println("cast");
        }
        try {
            Proxy.newProxyInstance(B03Proxies.class.getClassLoader(), new Class<?>[] {String.class}, h);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        IntSupplierLike n = (IntSupplierLike) Proxy.newProxyInstance(B03Proxies.class.getClassLoader(), new Class<?>[] {IntSupplierLike.class}, (p, m, a) -> null);
        try {
            n.get();
        } catch (NullPointerException e) {
            System.out.println("null for int");
        }
    }
    interface IntSupplierLike { int get(); }
}
