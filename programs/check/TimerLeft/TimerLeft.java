import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicInteger;

/** A timer does its only task and is not cancelled: its thread waits for the next one for ever. */
public class TimerLeft {
    static final AtomicInteger done = new AtomicInteger();

    public static void main(String[] args) {
        Timer timer = new Timer("timer");
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                done.incrementAndGet();
            }
        }, 0);
    }
}
