/**
 * A thread sets a system property, which another one asks for.
 *
 * Breaks when: main asks before it is set.
 */
public class PropertyAsked {
    public static void main(String[] args) throws InterruptedException {
        Thread setter = new Thread(() -> System.setProperty("mode", "fast"), "setter");
        setter.start();
        String mode = System.getProperty("mode", "none");
        setter.join();
        assert mode.equals("fast"); //~ assertion
    }
}
