/**
 * Double-checked locking with volatile.
 *
 * Correct: the write of the field happens before every read that sees it, and the object is made
 * once, under the lock.
 */
public class DoubleCheckedVolatile {
    static class Config {
        static int made;
        int size = 7;

        Config() {
            made++;
            assert made == 1 : "made twice";
        }
    }

    static volatile Config config;

    static Config get() {
        if (config == null) {
            synchronized (DoubleCheckedVolatile.class) {
                if (config == null) {
                    config = new Config();
                }
            }
        }
        return config;
    }

    public static void main(String[] args) {
        Runnable user = () -> {
            assert get().size == 7;
        };
        new Thread(user, "a").start();
        new Thread(user, "b").start();
    }
}
