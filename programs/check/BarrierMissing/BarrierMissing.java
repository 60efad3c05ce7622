/**
 * Two threads write their cell and read the other's without meeting.
 *
 * Breaks when: one reads before the other has written.
 */
public class BarrierMissing {
    static final int[] cells = new int[2];

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            int me = i;
            new Thread(() -> {
                cells[me] = me + 1; //~ race
                int other = cells[1 - me]; //~ race
                assert other == 2 - me : "other half missing"; //~ assertion
            }, "party-" + i).start();
        }
    }
}
