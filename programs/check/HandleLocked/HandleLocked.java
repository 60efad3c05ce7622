import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Two threads call a method of the program through a method handle.
 *
 * Correct: the method is synchronized, whoever calls it.
 */
public class HandleLocked {
    static volatile int count;

    static synchronized void increment() {
        count++;
    }

    public static void main(String[] args) throws Exception {
        MethodType nothing = MethodType.methodType(void.class);
        MethodHandle handle = MethodHandles.lookup().findStatic(HandleLocked.class, "increment", nothing);
        Runnable call = () -> {
            try {
                handle.invokeExact();
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        };
        Thread other = new Thread(call, "other");
        other.start();
        call.run();
        other.join();
        assert count == 2;
    }
}
