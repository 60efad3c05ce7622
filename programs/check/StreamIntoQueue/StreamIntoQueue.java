import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * A parallel stream adds to a queue that is made for several threads, by a method reference.
 *
 * Correct: the order is left open, and none is lost.
 */
public class StreamIntoQueue {
    public static void main(String[] args) {
        Queue<Integer> squares = new ConcurrentLinkedQueue<>();
        IntStream.of(1, 4).parallel().forEach(squares::add);
        assert squares.size() == 2;
    }
}
