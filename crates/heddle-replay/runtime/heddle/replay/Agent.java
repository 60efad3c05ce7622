package heddle.replay;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the JDK's own code tell the library where it waits, wakes and starts threads, in the JVM that
 * runs it: {@code java -javaagent:heddle-replay.jar}. All of `java.util.concurrent` waits in
 * `Unsafe.park`, so a handful of calls is all there is to redirect; locks, queues, futures and pools
 * stay the JDK's, whatever its release.
 */
public final class Agent implements ClassFileTransformer {
    /** Calls to redirect in the JDK; "*" for final methods that any class may be named as the owner of. */
    private static final Map<String, String> CALLS = new HashMap<String, String>();

    /** Methods of `Thread` and its subclasses that get a call in front. */
    private static final Map<String, String> FRONTS = new HashMap<String, String>();

    /** Methods of `Shutdown`, by which a JVM ends. */
    private static final Map<String, String> END = new HashMap<String, String>();

    private static final Map<String, String> NONE = new HashMap<String, String>();
    private static final Map<String, String> BEGIN = new HashMap<String, String>();

    static {
        for (String unsafe : new String[] {"jdk/internal/misc/Unsafe", "sun/misc/Unsafe"}) {
            CALLS.put(unsafe + ".park (ZJ)V", "park (Ljava/lang/Object;ZJ)V");
            CALLS.put(unsafe + ".unpark (Ljava/lang/Object;)V", "unpark (Ljava/lang/Object;Ljava/lang/Object;)V");
        }
        CALLS.put("*.wait ()V", "wait (Ljava/lang/Object;)V");
        CALLS.put("*.wait (J)V", "wait (Ljava/lang/Object;J)V");
        CALLS.put("*.wait (JI)V", "wait (Ljava/lang/Object;JI)V");
        CALLS.put("*.notify ()V", "notify (Ljava/lang/Object;)V");
        CALLS.put("*.notifyAll ()V", "notifyAll (Ljava/lang/Object;)V");
        CALLS.put("java/lang/Thread.sleep (J)V", "sleep (J)V");
        CALLS.put("java/lang/Thread.sleep (JI)V", "sleep (JI)V");
        CALLS.put("java/lang/Thread.interrupt ()V", "interrupt (Ljava/lang/Thread;)V");
        CALLS.put("java/lang/Thread.isInterrupted ()Z", "isInterrupted (Ljava/lang/Thread;)Z");
        CALLS.put("java/lang/System.nanoTime ()J", "nanoTime ()J");
        CALLS.put("java/lang/System.currentTimeMillis ()J", "currentTimeMillis ()J");

        BEGIN.put("run ()V", "begin (Ljava/lang/Thread;)V");
        FRONTS.putAll(BEGIN);
        FRONTS.put("start ()V", "starting (Ljava/lang/Thread;)V");
        FRONTS.put("start (Ljdk/internal/vm/ThreadContainer;)V", "starting (Ljava/lang/Thread;)V");
        FRONTS.put("exit ()V", "exiting (Ljava/lang/Thread;)V");
        END.put("halt (I)V", "halting (I)V");
        END.put("shutdown ()V", "shuttingDown ()V");
    }

    private Agent() {}

    /** Called by the JVM before `main`. */
    public static void premain(String arguments, Instrumentation jvm) throws Exception {
        export(jvm);
        Hook.install();
        jvm.addTransformer(new Agent(), true);
        List<Class<?>> loaded = new ArrayList<Class<?>>();
        for (Class<?> type : jvm.getAllLoadedClasses()) {
            if (!type.isArray() && concerns(type.getName().replace('.', '/')) && jvm.isModifiableClass(type)) {
                loaded.add(type);
            }
        }
        try {
            jvm.retransformClasses(loaded.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lets {@link Hook} call the JDK's `Unsafe`. By reflection: Java 8 has no modules. */
    private static void export(Instrumentation jvm) throws Exception {
        java.lang.reflect.Method getModule;
        try {
            getModule = Class.class.getMethod("getModule");
        } catch (NoSuchMethodException e) {
            return;
        }
        Class<?> module = Class.forName("java.lang.Module");
        Object base = getModule.invoke(Object.class);
        Object own = getModule.invoke(Hook.class);
        java.util.Set<Object> to = java.util.Collections.singleton(own);
        Map<String, Object> exports = java.util.Collections.<String, Object>singletonMap("jdk.internal.misc", to);
        Instrumentation.class
                .getMethod("redefineModule", module, java.util.Set.class, Map.class, Map.class,
                        java.util.Set.class, Map.class)
                .invoke(jvm, base, java.util.Collections.emptySet(), exports, java.util.Collections.emptyMap(),
                        java.util.Collections.emptySet(), java.util.Collections.emptyMap());
    }

    private static boolean concerns(String name) {
        return name.startsWith("java/util/concurrent/")
                || name.startsWith("java/util/Timer")
                || name.startsWith("java/io/Piped")
                || name.equals("java/lang/Thread")
                || name.equals("java/lang/Shutdown")
                || name.equals("java/lang/ApplicationShutdownHooks");
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] file) {
        if (loader != null || name == null || !concerns(name)) {
            return null;
        }
        try {
            Rewire rewire = new Rewire(file, CALLS, NONE);
            if (name.equals("java/lang/Thread")) {
                rewire = new Rewire(file, CALLS, FRONTS);
            } else if (name.equals("java/lang/Shutdown")) {
                rewire = new Rewire(file, NONE, END);
            } else if (rewire.superName().equals("java/lang/Thread")) {
                rewire = new Rewire(file, CALLS, BEGIN);
            }
            return rewire.result();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (RuntimeException e) {
            // The JVM would go on without a word.
            Verdict.unable("cannot redirect " + name + ": " + e);
            return null;
        }
    }
}
