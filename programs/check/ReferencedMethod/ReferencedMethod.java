import java.util.ArrayList;
import java.util.List;

/**
 * A list that is not made for threads, used by two of them through method references.
 *
 * Breaks when: always; nothing orders the two calls.
 */
public class ReferencedMethod {
    public static void main(String[] args) throws Exception {
        List<Integer> orders = new ArrayList<>(List.of(1));
        Thread counts = new Thread(orders::size, "counts"); //~ race
        Thread clears = new Thread(orders::clear, "clears"); //~ race
        counts.start();
        clears.start();
    }
}
