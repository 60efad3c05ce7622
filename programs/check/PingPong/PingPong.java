/**
 * Two threads take turns under one monitor.
 *
 * Correct: a player waits while it is not its turn, and every hit wakes the other; the rally is
 * therefore strictly alternating.
 */
public class PingPong {
    private int turn;
    private int hits;

    synchronized void hit(int player) throws InterruptedException {
        while (turn != player) {
            wait();
        }
        assert hits % 2 == player : "out of turn";
        hits++;
        turn = 1 - player;
        notifyAll();
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        PingPong table = new PingPong();
        for (int p = 0; p < 2; p++) {
            int player = p;
            new Thread(() -> {
                try {
                    for (int i = 0; i < rounds; i++) {
                        table.hit(player);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, player == 0 ? "ping" : "pong").start();
        }
    }
}
