import java.util.*;

/** Bad format strings. */
public class A02FormatErrors {
    public static void main(String[] args) {
        Object[][] cases = {{"%d", 1.5}, {"%f", 1}, {"%c", "ab"}, {"%s"}, {"%"}, {"%y", 1}, {"%-d", 1}, {"%05s", "x"}, {"%+x", 5}, {"%.2d", 1}, {"%#s", "x"},
            {"%,x", 1}, {"%c", 0x110000}, {"%3$s", 1}, {"%<s", 1}, {"%-05d", 1}, {"%+ d", 1}, {"%tQ", "x"}, {"%tZ", 1}, {"%5n"}, {"%0d", 1}};
        for (Object[] c : cases) {
            try {
                System.out.println(String.format((String) c[0], Arrays.copyOfRange(c, 1, c.length)));
            } catch (IllegalFormatException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }
}
