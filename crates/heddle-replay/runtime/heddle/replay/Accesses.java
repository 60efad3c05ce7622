package heddle.replay;

/**
 * The two accesses of a data race: what each of them read or wrote. The later one is the first of its
 * thread at its place after the schedule's last event for it, the earlier one the last before that.
 */
final class Accesses {
    private final int[] threads = new int[2];
    private final int[] places = new int[2];
    private int known;

    private boolean earlier;
    /** Null for a call. */
    private String value;
    private boolean told;

    /** A line of the header; the earlier access comes first. */
    void expect(int thread, Place place) {
        if (known < 2) {
            threads[known] = thread;
            places[known++] = place.number;
        }
    }

    /** A thread reads or writes something here (`text`), or calls what does (null). */
    synchronized void saw(Strand strand, int place, String text) {
        if (known < 2 || told) {
            return;
        }
        if (strand.number == threads[0] && place == places[0]) {
            earlier = true;
            value = text;
        } else if (strand.number == threads[1] && place == places[1] && Engine.steering.over(strand)) {
            told = true;
            if (earlier) {
                tell(value);
                tell(text);
            }
            Verdict.seen();
        }
    }

    private static void tell(String text) {
        if (text == null) {
            Verdict.record("access");
        } else {
            Verdict.record("access", text);
        }
    }

    /** An object as reports write it: what is a value as the program writes it, others by their class. */
    static String text(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof String) {
            return "\"" + value + "\"";
        }
        if (value instanceof Character) {
            return "'" + value + "'";
        }
        if (value instanceof Boolean || value.getClass().getName().startsWith("java.lang.") && value instanceof Number) {
            return String.valueOf(value);
        }
        if (value instanceof Enum) {
            Enum<?> constant = (Enum<?>) value;
            return constant.getDeclaringClass().getSimpleName() + "." + constant.name();
        }
        String name = value.getClass().getCanonicalName();
        return name == null ? value.getClass().getName() : name;
    }
}
