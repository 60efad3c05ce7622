package heddle.probe;

/** What inserted code calls. It uses no other class, so that it can be called before any is ready. */
public class Probe {
    public static boolean on = true;
    public static long hits;

    public static void hit() {
        hits++;
    }

    public static void see(int value) {
        hits++;
    }

    public static void see(long value) {
        hits++;
    }

    public static void see(float value) {
        hits++;
    }

    public static void see(double value) {
        hits++;
    }

    public static void see(Object value) {
        hits++;
    }

    public static void thrown(Throwable t) {
        hits++;
    }

    public static void left(Throwable t, String kept) {
        if (kept == null) {
            throw new NullPointerException("the kept variable is gone");
        }
        hits++;
    }
}
