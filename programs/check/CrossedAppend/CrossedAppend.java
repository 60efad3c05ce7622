/**
 * Two buffers of the library, each with a lock of its own, are appended to each other.
 *
 * Breaks when: each thread has locked the buffer that it appends to, and wants to copy the other
 * one, perhaps after it has asked it for its length.
 */
public class CrossedAppend {
    static final StringBuffer here = new StringBuffer("a");
    static final StringBuffer there = new StringBuffer("b");

    public static void main(String[] args) throws InterruptedException {
        Thread fetch = new Thread(() -> here.append(there), "fetch"); //~ lock-cycle
        fetch.start();
        there.append(here); //~ lock-cycle
        fetch.join();
    }
}
