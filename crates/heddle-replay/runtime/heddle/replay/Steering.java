package heddle.replay;

/**
 * Who decides. The engine tells what the running thread is about to do or cannot do; the answer is a
 * turn given to some thread. All methods are called by the thread that has the turn, with no lock of
 * the library held.
 */
interface Steering {
    /** The running thread is about to execute the bytecode at a place that was asked for. */
    void came(Strand strand, int place);

    /**
     * The running thread waits: its state says for what. Returns when it has the turn again, or at
     * once if its wait is over.
     */
    void blocked(Strand strand);

    /** The running thread notifies one of the threads in `wait`; which. The list is never empty. */
    Strand notified(Strand strand, Strand[] waiting);

    /** The running thread is at its end, told from the outside: its last bytecode is done. */
    void ended(Strand strand);

    /** The running thread has been blocked for a while without telling: in native code, say. */
    void stuckForReal(Strand strand);

    /** What is expected next, for messages: "line 12: main to come to bytecode 3 of ...", or null. */
    String expects();
}
