/**
 * An initializer that fails: who comes first gets one exception, who comes later another one.
 *
 * Breaks when: the thread that only knows the first one comes later.
 */
public class InitFails {
    static class Settings {
        static final int port = Integer.parseInt("none");

        static void read() {}
    }

    public static void main(String[] args) {
        new Thread(() -> {
            try {
                Settings.read();
            } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
                // Goes without.
            }
        }, "careful").start();
        new Thread(() -> {
            try {
                Settings.read(); //~ exception
            } catch (ExceptionInInitializerError e) {
                // Goes without.
            }
        }, "hasty").start();
    }
}
