import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A parallel stream adds to a list that is not made for several threads, by a method reference.
 *
 * Breaks when: the pool's worker adds one number while main adds another.
 */
public class StreamIntoList {
    public static void main(String[] args) {
        List<Integer> squares = new ArrayList<>();
        IntStream.of(1, 4)
                .parallel()
                .forEach(squares::add); //~ race
        assert squares.size() == 2;
    }
}
