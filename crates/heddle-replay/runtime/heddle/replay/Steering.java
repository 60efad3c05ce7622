package heddle.replay;

/**
 * Who decides. The engine tells what the running thread is about to do or cannot do; the answer is a
 * turn given to some thread. {@link Follower} has a schedule, {@link Recorder} makes one.
 */
interface Steering {
    /** The running thread is about to execute the bytecode at a place that was asked for. */
    void came(Strand strand, int place);

    /**
     * The running thread waits: its state says for what. Returns when it has the turn again, or at
     * once if its wait is over.
     */
    void blocked(Strand strand);

    /** The running thread is about to take a monitor. Only programs that are recorded tell. */
    default void enter(Strand strand, Object monitor) {}

    /** The running thread has given a monitor back once. */
    default void exit(Strand strand, Object monitor) {}

    /** The running thread notifies one of the threads in `wait`; which. The list is never empty. */
    Strand notified(Strand strand, Strand[] waiting);

    /**
     * The running thread notifies, and these were interrupted in `wait` and have not come out of it: which of
     * them it wakes nevertheless; the running thread itself for nobody at all; null if another one.
     */
    default Strand interrupted(Strand strand, Strand[] leaving) {
        return null;
    }

    /** An exception ends the running thread; it has given back all monitors of its methods. */
    default void unwound(Strand strand) {}

    /** The running thread is at its end: its last bytecode is done. */
    void ended(Strand strand);

    /** The running thread has been blocked for a while without telling: the watchdog tells for it. */
    default void stuckForReal(Strand strand) {}

    /** Something broke: kind and sentence, in the words of heddle's reports. */
    default void finding(String kind, String message) {}

    /** The program ends. */
    default void close() {}

    /** Whether all of the schedule is done, and the last thread goes on by itself. */
    boolean over();

    /** Whether one thread has come to the end of what the schedule has for it. */
    default boolean over(Strand strand) {
        return over();
    }

    /** Whether a program that ends before {@link #over} has left the schedule. */
    default boolean strict() {
        return true;
    }

    /** Line of the schedule that is being followed, or 0. */
    default int line() {
        return 0;
    }

    /** Line that says that everybody is stuck, once it was reached; else 0. */
    default int stuckAt() {
        return 0;
    }

    /** Steps done. */
    long done();

    /** What is expected next, for messages: "line 12: main to come to bytecode 3 of ...", or null. */
    String expects();
}
