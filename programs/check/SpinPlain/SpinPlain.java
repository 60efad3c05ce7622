/**
 * Looks at a plain flag three times.
 *
 * Breaks when: the setter runs meanwhile; nothing orders the accesses, and the loop may never see
 * the flag.
 */
public class SpinPlain {
    static boolean ready;

    public static void main(String[] args) {
        new Thread(() -> {
            for (int i = 0; i < 3; i++) {
                if (ready) { //~ race
                    return;
                }
            }
        }, "spinner").start();
        ready = true; //~ race
    }
}
