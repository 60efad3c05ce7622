import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Two threads call a method of the program through a method handle.
 *
 * Broken: both read 0. Code of the library lies between the caller and the method; what the method
 * does is the program's all the same, and threads stop in it.
 */
public class HandleIncrement {
    static volatile int count;

    static void increment() {
        count++;
    }

    public static void main(String[] args) throws Exception {
        MethodType nothing = MethodType.methodType(void.class);
        MethodHandle handle = MethodHandles.lookup().findStatic(HandleIncrement.class, "increment", nothing);
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
        assert count == 2; //~ assertion
    }
}
