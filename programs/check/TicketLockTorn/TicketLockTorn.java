/**
 * A ticket lock whose tickets are handed out by a volatile increment.
 *
 * Breaks when: both read the same next ticket. Then either both are served at once, or one is
 * served, moves on, and the other one waits for a number that has passed.
 */
public class TicketLockTorn {
    static volatile int next;
    static volatile int now;
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Runnable user = () -> {
            int mine = next;
            next = mine + 1;
            while (now != mine) { //~ livelock
                Thread.onSpinWait(); //~ livelock
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
