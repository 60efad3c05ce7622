import java.util.*;

/** String.format: integers, floats, strings, flags, widths. */
public class A01Format {
    static void f(String format, Object... args) {
        System.out.println("[" + String.format(Locale.ROOT, format, args) + "]");
    }

    public static void main(String[] args) {
        f("%d %5d %-5d| %05d %+d %,d %(d % d", 42, 42, 42, 42, 42, 1234567, -5, 7);
        f("%x %X %#x %o %#o %08x", 255, 255, 255, 8, 8, -1);
        f("%s %10s %-10s| %.2s %S %s", "abc", "abc", "abc", "abc", "abc", null);
        f("%c %C %c %5c", 'a', 'b', 66, 'x');
        f("%b %B %b %b", true, false, null, "x");
        f("%f %.2f %10.3f %-10.1f| %+.1f %,.2f %(.2f %010.2f", 3.14159, 3.14159, 3.14159, 3.14159, 2.0, 1234567.891, -2.5, -3.5);
        f("%e %.2e %E %g %.3g %g", 12345.678, 0.00012345, 1e100, 12345.678, 0.0001, 1e-10);
        f("%a %A %a", 1.0, 0.1, -0.0);
        f("%f %f %f %e", Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN);
        f("%h %h %n%%", "hash", null);
        f("%2$s %1$s %<s %s %s", "a", "b");
        f("%d %d %d %d", (byte) -1, (short) -1, -1L, new java.math.BigInteger("123456789012345678901234567890"));
        f("%x %x %x", (byte) -1, (short) -1, -1L);
        f("%.10f %s %.3f", new java.math.BigDecimal("1.23456789012345"), new java.math.BigDecimal("1E+5"), new java.math.BigDecimal("-0.0005"));
        f("%.0f %.0f %.0f %.0f %.1f", 0.5, 1.5, 2.5, -0.5, 0.25);
        f("%s %s", new int[0].length, List.of(1, 2));
        f("%-6b|%6b|%.3b", true, false, true);
    }
}
