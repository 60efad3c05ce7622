import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * A thread sets a field of a type of its own and a static field through handles, while another one
 * reads them.
 *
 * Breaks in every schedule: handles make plain accesses, and nothing orders them with the reads.
 */
public class HandleSetters {
    static final MethodHandle NAME, COUNT;
    static int count;
    String name = "none";

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            NAME = lookup.findSetter(HandleSetters.class, "name", String.class);
            COUNT = lookup.findStaticSetter(HandleSetters.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    void set() {
        try {
            NAME.invokeExact(this, "some"); //~ race
            COUNT.invokeExact(1); //~ race
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        HandleSetters shared = new HandleSetters();
        Thread other = new Thread(shared::set, "other");
        other.start();
        String name = shared.name; //~ race
        int number = count; //~ race
        other.join();
        assert name != null && number >= 0;
    }
}
