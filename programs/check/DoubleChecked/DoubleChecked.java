/**
 * Double-checked locking without volatile.
 *
 * Breaks when: the second thread reads the field without the lock while the first one writes it; it
 * may see the object before its contents.
 */
public class DoubleChecked {
    static class Config {
        int size = 7; //~ race
    }

    static Config config;

    static Config get() {
        if (config == null) { //~ race
            synchronized (DoubleChecked.class) {
                if (config == null) {
                    config = new Config(); //~ race
                }
            }
        }
        return config; //~ race
    }

    public static void main(String[] args) {
        Runnable user = () -> {
            assert get().size == 7; //~ race
        };
        new Thread(user, "a").start();
        new Thread(user, "b").start();
    }
}
