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
    final String className;
    /** Name and descriptor. */
    final String method;
    final int index;
    /** Position of the method in the class file, as jreplay counts. */
    final int position;
    /** "Buffer.java:12", or null. */
    final String source;
    /** Whether the bytecode is a call that ends the program. */
    final boolean exits;

    Place(int number, String className, String method, int index, int position, String source, boolean exits) {
        this.number = number;
        this.className = className;
        this.method = method;
        this.index = index;
        this.position = position;
        this.source = source;
        this.exits = exits;
    }

    /** Whether a schedule that writes the method like this means this place. */
    boolean is(String className, String method, int index) {
        return this.index == index && this.className.equals(className) && isMethod(method);
    }

    private boolean isMethod(String written) {
        int descriptor = this.method.indexOf('(');
        return written.equals(this.method)
                || written.equals(this.method.substring(0, descriptor))
                || written.equals(Integer.toString(position));
    }

    @Override
    public String toString() {
        String text = "bytecode " + index + " of " + className + "." + method;
        return source == null ? text : text + " (" + source + ")";
    }
}
