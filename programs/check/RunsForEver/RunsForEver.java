/**
 * A lamp is switched on and off for ever, and main looks at it for ever.
 *
 * Correct: it is never anything but on or off. No path comes to an end, and there are few states.
 */
public class RunsForEver {
    static volatile int lamp;

    public static void main(String[] args) {
        Thread blinker = new Thread(RunsForEver::blink, "blinker");
        blinker.start();
        while (true) {
            int seen = lamp;
            assert seen == 0 || seen == 1;
        }
    }

    static void blink() {
        while (true) {
            lamp = 1;
            lamp = 0;
        }
    }
}
