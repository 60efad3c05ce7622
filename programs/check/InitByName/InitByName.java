/**
 * A registry that loads its driver by name when it is initialized, and a driver that registers
 * itself when it is.
 *
 * Breaks when: one thread uses the registry first and the other one loads the driver first; then
 * each waits for the class that the other one initializes.
 */
public class InitByName {
    static class Registry {
        static volatile int drivers;

        static {
            load();
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
            Class.forName("InitByName$Driver"); //~ deadlock
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        new Thread(Registry::drivers, "user").start();
        new Thread(InitByName::load, "loader").start();
    }
}
