/**
 * A registry that makes a driver when it is initialized, and a driver that registers itself when
 * it is, for instance because it is loaded by name.
 *
 * Breaks when: one thread uses the registry first and the other one loads the driver first; then
 * each waits for the class that the other one initializes.
 */
public class InitByName {
    static class Registry {
        static volatile int drivers;

        static {
            new Driver(); //~ deadlock
        }

        static void register() {
            drivers++;
        }

        static int drivers() {
            return drivers;
        }
    }

    static class Driver {
        static {
            Registry.register(); //~ deadlock
        }
    }

    static void load() {
        try {
            Class.forName("InitByName$Driver");
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        new Thread(() -> Registry.drivers(), "user").start();
        new Thread(() -> load(), "loader").start();
    }
}
