/**
 * The waiting room without the house around it.
 *
 * Correct: the wait gives back the only lock that the guest holds.
 */
public class NestedMonitorOpen {
    private final Object room = new Object();
    private boolean ready;

    void await() throws InterruptedException {
        synchronized (room) {
            while (!ready) {
                room.wait();
            }
        }
    }

    void open() {
        synchronized (room) {
            ready = true;
            room.notifyAll();
        }
    }

    public static void main(String[] args) {
        NestedMonitorOpen house = new NestedMonitorOpen();
        new Thread(() -> {
            try {
                house.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "guest").start();
        new Thread(house::open, "host").start();
    }
}
