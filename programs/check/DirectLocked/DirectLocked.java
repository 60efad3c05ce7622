import java.nio.ByteBuffer;

/**
 * Two threads count in a buffer outside the heap, under its lock.
 */
public class DirectLocked {
    public static void main(String[] args) throws InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16);
        Runnable count = () -> {
            synchronized (buffer) {
                buffer.putInt(4, buffer.getInt(4) + 1);
            }
        };
        Thread a = new Thread(count);
        Thread b = new Thread(count);
        a.start();
        b.start();
        a.join();
        b.join();
        assert buffer.getInt(4) == 2;
    }
}
