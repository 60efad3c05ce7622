import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One matcher for two threads; the pattern would do, the matcher does not.
 *
 * Breaks when: always; nothing orders the two calls.
 */
public class MatcherShared {
    public static void main(String[] args) {
        Matcher digits = Pattern.compile("[0-9]+").matcher("12 34");
        Runnable next = () -> digits.find(); //~ race
        new Thread(next, "one").start();
        new Thread(next, "two").start();
    }
}
