/**
 * A thread waits until a flag is down or all is over, and the flag goes up and down several times.
 *
 * Breaks when: it sees the flag down between two times, and takes it while the other one has it.
 */
public class SpinTwoPlaces {
    static volatile boolean over;
    static volatile boolean taken;
    static volatile int inside;

    static void enter() {
        inside++;
        assert inside == 1; //~ assertion
        inside--;
    }

    public static void main(String[] args) {
        new Thread(() -> {
            while (!over && taken) {
                Thread.onSpinWait();
            }
            if (!over) {
                taken = true;
                enter();
                taken = false;
            }
        }).start();
        taken = true;
        taken = false;
        taken = true;
        enter();
        over = true;
        taken = false;
    }
}
