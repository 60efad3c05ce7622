import java.util.*;

/** ServiceLoader with a provider file beside the classes. */
public class A01ServiceLoader {
    public interface Plugin { String name(); default int rank() { return 0; } }
    public static class One implements Plugin { public String name() { return "one"; } }
    public static class Two implements Plugin { public String name() { return "two"; } public int rank() { return 2; } }
    public static class Broken implements Plugin { public Broken() { throw new IllegalStateException("broken"); } public String name() { return ""; } }
    public interface Nobody {}

    public static void main(String[] args) {
        ServiceLoader<Plugin> l = ServiceLoader.load(Plugin.class);
        Iterator<Plugin> it = l.iterator();
        while (true) {
            try {
                if (!it.hasNext()) break;
                Plugin p = it.next();
                System.out.println(p.name() + p.rank());
            } catch (ServiceConfigurationError e) {
                System.out.println(e.getMessage() + " <- " + e.getCause());
            }
        }
        System.out.println(ServiceLoader.load(Nobody.class).findFirst().isPresent());
        System.out.println(l.stream().map(p -> p.type().getSimpleName()).limit(2).toList());
    }
}
