import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicInteger;

/** A timer that is cancelled by its only task: its thread ends. Correct. */
public class TimerCancelled {
    static final AtomicInteger done = new AtomicInteger();

    public static void main(String[] args) {
        Timer timer = new Timer("timer");
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                done.incrementAndGet();
                timer.cancel();
            }
        }, 0);
    }
}
