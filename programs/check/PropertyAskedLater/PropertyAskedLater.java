/**
 * A thread sets a system property, which another one asks for when it has ended. Two more threads
 * ask for others meanwhile.
 *
 * Correct: `join` orders them.
 */
public class PropertyAskedLater {
    public static void main(String[] args) throws InterruptedException {
        Thread setter = new Thread(() -> System.setProperty("mode", "fast"), "setter");
        setter.start();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                if (Integer.getInteger("size", 7) != 7) {
                    throw new IllegalStateException();
                }
            }).start();
        }
        setter.join();
        assert System.getProperty("mode", "none").equals("fast");
    }
}
