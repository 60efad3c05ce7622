import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;

/** A dependency-injection container in 100 lines: annotations, constructors, proxies, cycles. */
public class C01Injector {
    @Retention(RetentionPolicy.RUNTIME) @interface Inject {}
    @Retention(RetentionPolicy.RUNTIME) @interface Singleton {}
    @Retention(RetentionPolicy.RUNTIME) @interface Named { String value(); }
    @Retention(RetentionPolicy.RUNTIME) @interface PostConstruct {}
    @Retention(RetentionPolicy.RUNTIME) @interface Logged {}

    interface Clock { long now(); }
    @Singleton static class FixedClock implements Clock { long t = 1000; public long now() { return t++; } }
    interface Repo { @Logged String load(int id); int size(); }
    static class MemoryRepo implements Repo {
        final Clock clock;
        @Inject MemoryRepo(Clock c) { clock = c; }
        public String load(int id) { if (id < 0) throw new IllegalArgumentException("id " + id); return "row" + id + "@" + clock.now(); }
        public int size() { return 3; }
    }
    static class Service {
        @Inject private Repo repo;
        @Inject @Named("greeting") String greeting;
        final Clock clock;
        boolean ready;
        @Inject Service(Clock clock) { this.clock = clock; }
        @PostConstruct private void init() { ready = repo != null && greeting != null; }
        String run(int id) { return greeting + " " + repo.load(id) + " " + clock.now() + ready; }
    }
    static class A { @Inject A(B b) {} }
    static class B { @Inject B(A a) {} }
    static class NoDefault { NoDefault(int x) {} }

    static class Container {
        final Map<Class<?>, Class<?>> bindings = new HashMap<>();
        final Map<String, Object> named = new HashMap<>();
        final Map<Class<?>, Object> singletons = new HashMap<>();
        final Deque<Class<?>> path = new ArrayDeque<>();
        final List<String> log = new ArrayList<>();

        <T> Container bind(Class<T> api, Class<? extends T> impl) { bindings.put(api, impl); return this; }
        <T> T get(Class<T> type) {
            Class<?> impl = bindings.getOrDefault(type, type);
            if (singletons.containsKey(impl)) return type.cast(singletons.get(impl));
            if (path.contains(impl)) {
                List<String> names = new ArrayList<>();
                path.descendingIterator().forEachRemaining(c -> names.add(c.getSimpleName()));
                throw new IllegalStateException("cycle " + names + " -> " + impl.getSimpleName());
            }
            path.push(impl);
            try {
                Object o = construct(impl);
                for (Field f : impl.getDeclaredFields()) {
                    if (!f.isAnnotationPresent(Inject.class)) continue;
                    f.setAccessible(true);
                    Named n = f.getAnnotation(Named.class);
                    f.set(o, n != null ? named.get(n.value()) : get(f.getType()));
                }
                for (Method m : impl.getDeclaredMethods()) if (m.isAnnotationPresent(PostConstruct.class)) { m.setAccessible(true); m.invoke(o); }
                if (type.isInterface() && Arrays.stream(type.getMethods()).anyMatch(m -> m.isAnnotationPresent(Logged.class))) o = logged(type, o);
                if (impl.isAnnotationPresent(Singleton.class)) singletons.put(impl, o);
                return type.cast(o);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e.getClass().getSimpleName() + " in " + impl.getSimpleName(), e);
            } finally {
                path.pop();
            }
        }
        Object construct(Class<?> impl) throws ReflectiveOperationException {
            for (Constructor<?> k : impl.getDeclaredConstructors()) {
                if (k.isAnnotationPresent(Inject.class)) return k.newInstance(Arrays.stream(k.getParameterTypes()).map(this::get).toArray());
            }
            return impl.getDeclaredConstructor().newInstance();
        }
        Object logged(Class<?> api, Object target) {
            return Proxy.newProxyInstance(api.getClassLoader(), new Class<?>[] {api}, (p, m, args) -> {
                if (m.isAnnotationPresent(Logged.class)) log.add(m.getName() + Arrays.toString(args));
                try {
                    return m.invoke(target, args);
                } catch (InvocationTargetException e) {
                    log.add("! " + e.getTargetException());
                    throw e.getTargetException();
                }
            });
        }
    }

    public static void main(String[] args) {
        Container c = new Container().bind(Clock.class, FixedClock.class).bind(Repo.class, MemoryRepo.class);
        c.named.put("greeting", "hi");
        Service s = c.get(Service.class);
        System.out.println(s.run(1));
        System.out.println(s.run(2));
        try {
            s.run(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(s.repo.size() + " " + c.log + " " + (c.get(Clock.class) == s.clock));
        for (Class<?> bad : new Class<?>[] {A.class, NoDefault.class, Runnable.class}) {
            try {
                c.get(bad);
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
