/**
 * A registry that makes a driver when it is initialized, and a driver that knows nothing of it and
 * is loaded by name besides.
 *
 * Correct: whoever initializes the driver waits for nobody.
 */
public class InitByNameOneWay {
    static class Registry {
        static volatile int drivers;

        static {
            new Driver();
        }

        static void register() {
            drivers++;
        }

        static int drivers() {
            return drivers;
        }
    }

    static class Driver {
        static boolean loaded;

        static {
            loaded = true;
        }
    }

    static void load() {
        try {
            Class.forName("InitByNameOneWay$Driver");
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        new Thread(() -> Registry.drivers(), "user").start();
        new Thread(() -> load(), "loader").start();
    }
}
