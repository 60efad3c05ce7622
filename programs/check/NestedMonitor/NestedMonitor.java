/**
 * A waiting room inside a house: the wait releases the room, not the house.
 *
 * Breaks when: the guest waits first; the host cannot enter the house to open.
 */
public class NestedMonitor {
    private final Object room = new Object();
    private boolean ready;

    synchronized void await() throws InterruptedException {
        synchronized (room) {
            while (!ready) {
                room.wait(); //~ condition-deadlock
            }
        }
    }

    synchronized void open() { //~ condition-deadlock
        synchronized (room) {
            ready = true;
            room.notifyAll();
        }
    }

    public static void main(String[] args) {
        NestedMonitor house = new NestedMonitor();
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
