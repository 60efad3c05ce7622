import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * A thread sets a field of a type of its own and a static field through handles; they are read
 * when it has ended.
 *
 * Correct: `join` orders them.
 */
public class HandleSettersJoined {
    static final MethodHandle NAME, COUNT;
    static int count;
    String name = "none";

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            NAME = lookup.findSetter(HandleSettersJoined.class, "name", String.class);
            COUNT = lookup.findStaticSetter(HandleSettersJoined.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    void set() {
        try {
            NAME.invokeExact(this, "some");
            COUNT.invokeExact(1);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        HandleSettersJoined shared = new HandleSettersJoined();
        Thread other = new Thread(shared::set, "other");
        other.start();
        other.join();
        assert shared.name.equals("some") && count == 1;
    }
}
