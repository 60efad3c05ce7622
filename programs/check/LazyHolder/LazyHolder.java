/**
 * A lazy singleton made by the initialization of its holder class.
 *
 * Correct: the virtual machine initializes the holder once, and the other thread waits for it.
 */
public class LazyHolder {
    static class Config {
        static int made;
        int size = 7;

        Config() {
            made++;
        }
    }

    static class Holder {
        static final Config config = new Config();
    }

    public static void main(String[] args) {
        Runnable user = () -> {
            assert Holder.config.size == 7;
            assert Config.made == 1 : "made twice";
        };
        new Thread(user, "a").start();
        new Thread(user, "b").start();
    }
}
