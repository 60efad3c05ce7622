/**
 * A ticket lock whose tickets are handed out by a volatile increment.
 *
 * Breaks when: both read the same next ticket; both are served at once.
 */
public class TicketLockTorn {
    static volatile int next;
    static volatile int now;
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Runnable user = () -> {
            int mine = next;
            next = mine + 1;
            while (now != mine) {
                Thread.onSpinWait();
            }
            count++; //~ race
            now = mine + 1;
        };
        Thread a = new Thread(user, "a");
        Thread b = new Thread(user, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2 : "lost update"; //~ assertion
    }
}
