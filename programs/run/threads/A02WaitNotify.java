/** Ping and pong with wait and notifyAll. */
public class A02WaitNotify {
    static int turn;

    static void play(String word, int mine) {
        for (int i = 0; i < 5; i++) {
            synchronized (A02WaitNotify.class) {
                while (turn != mine) {
                    try {
                        A02WaitNotify.class.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                System.out.println(word + " " + i);
                turn = 1 - mine;
                A02WaitNotify.class.notifyAll();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread ping = new Thread(() -> play("ping", 0));
        Thread pong = new Thread(() -> play("pong", 1));
        pong.start();
        ping.start();
        ping.join();
        pong.join();
        System.out.println("done");
    }
}
