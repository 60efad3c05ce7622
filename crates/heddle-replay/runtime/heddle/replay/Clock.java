package heddle.replay;

/**
 * Time as the program sees it: the JVM's, plus all the time that waits would have taken and did not,
 * because a replay does not sleep.
 */
final class Clock {
    private static volatile long skipped;

    private Clock() {}

    static long nanoTime() {
        return System.nanoTime() + skipped;
    }

    static long currentTimeMillis() {
        return System.currentTimeMillis() + skipped / 1000000;
    }

    /** A moment so many nanoseconds from now. */
    static long in(long nanos) {
        return nanoTime() + Math.min(nanos, Long.MAX_VALUE / 4);
    }

    /** Lets the time pass until this moment of {@link #nanoTime}. */
    static void pass(long until) {
        long missing = until - nanoTime();
        if (missing > 0) {
            synchronized (Clock.class) {
                skipped += missing;
            }
        }
    }
}
