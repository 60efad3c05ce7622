package heddle.replay;

/**
 * A bytecode that a schedule mentions. Calls to {@link Replay#at} carry its number.
 */
final class Place {
    /** Number of no place at all. */
    static final int NOWHERE = -1;
    /** Where a thread stands that has no frame of the program: between two tasks of a pool, say. */
    static final int OUTSIDE = -2;

    /** What the call carries that tells that a thread has come here; places of one stretch share it. */
    final int number;
    /** Of the bytecode in its method. */
    final int index;
    /** Whether the bytecode is a call that ends the program. */
    final boolean exits;

    /** The table that knows the rest; null if it is known. */
    private Places table;

    private String className;
    private String method;
    private int position;
    private String source;

    /** A place whose names nobody has asked for yet. */
    Place(int number, int index, boolean exits, Places table) {
        this.number = number;
        this.index = index;
        this.exits = exits;
        this.table = table;
    }

    Place(int number, String className, String method, int index, int position, String source, boolean exits) {
        this(number, index, exits, null);
        name(className, method, position, source);
    }

    void name(String className, String method, int position, String source) {
        this.className = className;
        this.method = method;
        this.position = position;
        this.source = source;
        this.table = null;
    }

    /** With dots. */
    String className() {
        return named().className;
    }

    /** Name and descriptor. */
    String method() {
        return named().method;
    }

    /** "Buffer.java:12", or null. */
    String source() {
        return named().source;
    }

    private Place named() {
        Places names = table;
        if (names != null) {
            names.read();
        }
        return this;
    }

    /** Whether a schedule that writes the method like this means this place. */
    boolean is(String className, String method, int index) {
        return this.index == index && className().equals(className) && isMethod(method);
    }

    private boolean isMethod(String written) {
        int descriptor = this.method.indexOf('(');
        return written.equals(this.method)
                || written.equals(this.method.substring(0, descriptor))
                // As jreplay counts: its position in the class file.
                || written.equals(Integer.toString(position));
    }

    @Override
    public String toString() {
        String text = "bytecode " + index + " of " + className() + "." + method;
        return source == null ? text : text + " (" + source + ")";
    }
}
