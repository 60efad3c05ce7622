import java.util.*;
import java.text.*;

/** Formattable, Formatter to an Appendable, dates, DecimalFormat, MessageFormat, ChoiceFormat. */
public class B01Formatter {
    static class Money implements Formattable {
        final long cents;
        Money(long c) { cents = c; }
        public void formatTo(Formatter f, int flags, int width, int precision) {
            f.format("<%d.%02d w%d p%d %s%s%s>", cents / 100, cents % 100, width, precision,
                    (flags & FormattableFlags.LEFT_JUSTIFY) != 0 ? "L" : "", (flags & FormattableFlags.UPPERCASE) != 0 ? "U" : "", (flags & FormattableFlags.ALTERNATE) != 0 ? "A" : "");
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(String.format("%s %-10s %S %#.3s", new Money(1234), new Money(5), new Money(700), new Money(99)));
        StringBuilder sb = new StringBuilder();
        try (Formatter f = new Formatter(sb, Locale.US)) {
            f.format("%,d|", 1234567).format("%s|", "x");
            System.out.println(f.locale() + " " + f.out());
        }
        Calendar c = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.US);
        c.setTimeInMillis(1_000_000_000_123L);
        System.out.println(String.format(Locale.US, "%tY-%<tm-%<td %<tH:%<tM:%<tS.%<tL %<tB %<tb %<tA %<ta %<tj %<tp %<tI %<te %<ty %<tZ %<tz %<ts %<tQ %<tF %<tT %<tr %<tR %<tD %<tc", c));
        System.out.println(String.format(Locale.GERMANY, "%,.2f", 1234567.891) + " " + String.format(Locale.FRANCE, "%.2f", 1.5));
        DecimalFormatSymbols us = DecimalFormatSymbols.getInstance(Locale.US);
        for (String p : new String[] {"0", "#,##0.00", "0.###E0", "00.0#%", "$#,##0.00;($#,##0.00)", "#.##", "000"}) {
            DecimalFormat d = new DecimalFormat(p, us);
            System.out.println(p + " " + d.format(1234.5678) + " " + d.format(-0.125) + " " + d.format(0) + " " + d.format(1e10) + " " + d.format(Double.NaN));
        }
        System.out.println(new DecimalFormat("#,##0.0", us).parse("1,234.5") + " " + NumberFormat.getIntegerInstance(Locale.US).format(2.5) + NumberFormat.getPercentInstance(Locale.US).format(0.256));
        System.out.println(MessageFormat.format("{0} has {1,number,integer} of {2} '{quoted}' {1,choice,0#none|1#one|1<many {1}}", "Bob", 3, List.of(1)));
        System.out.println(new ChoiceFormat("0#zero|1#one|2#two or more").format(5));
        SimpleDateFormat sdf = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS z EEE MMM", Locale.US);
        sdf.setTimeZone(TimeZone.getTimeZone("UTC"));
        System.out.println(sdf.format(new Date(0)) + " " + sdf.parse("2001-09-09T01:46:40.000 UTC Sun Sep").getTime());
        try {
            sdf.parse("junk");
        } catch (ParseException e) {
            System.out.println(e.getMessage() + " " + e.getErrorOffset());
        }
    }
}
