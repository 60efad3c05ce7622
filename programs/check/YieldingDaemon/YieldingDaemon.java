/** Correct: a daemon that does nothing but give way does not keep the program from ending. */
public class YieldingDaemon {
    public static void main(String[] args) {
        Thread idle = new Thread(() -> {
            while (true) {
                Thread.yield();
            }
        }, "idle");
        idle.setDaemon(true);
        idle.start();
    }
}
