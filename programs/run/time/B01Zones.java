import java.time.*;
import java.time.format.*;
import java.time.zone.*;
import java.util.*;

/** Zones, offsets, daylight saving, formatting and parsing; fixed instants only. */
public class B01Zones {
    public static void main(String[] args) {
        Instant i = Instant.ofEpochSecond(1_700_000_000L, 123_456_789);
        System.out.println(i + " " + i.toEpochMilli() + " " + Instant.EPOCH + Instant.parse("2001-09-09T01:46:40Z").getEpochSecond() + i.plus(Duration.ofDays(1)));
        for (String z : new String[] {"UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "+05:30", "Z", "Asia/Kathmandu"}) {
            ZonedDateTime t = i.atZone(ZoneId.of(z));
            System.out.println(t + " " + t.getOffset() + " " + t.withZoneSameLocal(ZoneOffset.UTC).toInstant());
        }
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        ZonedDateTime gap = ZonedDateTime.of(2024, 3, 31, 2, 30, 0, 0, berlin), overlap = ZonedDateTime.of(2024, 10, 27, 2, 30, 0, 0, berlin);
        System.out.println(gap + " " + overlap + " " + overlap.withLaterOffsetAtOverlap() + " " + overlap.plusHours(1) + " " + gap.minusDays(1).plusDays(1));
        ZoneRules r = berlin.getRules();
        System.out.println(r.nextTransition(i) + " " + r.isDaylightSavings(i) + r.getStandardOffset(i) + r.getValidOffsets(LocalDateTime.of(2024, 3, 31, 2, 30)));
        ZonedDateTime t = i.atZone(ZoneId.of("America/New_York"));
        for (String p : new String[] {"yyyy-MM-dd HH:mm:ss.SSS", "EEE, d MMM uuuu h:mm a", "EEEE MMMM dd, yyyy G", "yy/M/d k:m:s", "DDD w e Q QQQ", "HH:mm:ss xxx XXX Z O", "VV", "'literal' ''yyyy''", "[HH][mm]"}) {
            System.out.println(p + " -> " + DateTimeFormatter.ofPattern(p, Locale.US).format(t));
        }
        for (DateTimeFormatter f : new DateTimeFormatter[] {DateTimeFormatter.ISO_DATE_TIME, DateTimeFormatter.ISO_WEEK_DATE, DateTimeFormatter.ISO_ORDINAL_DATE, DateTimeFormatter.BASIC_ISO_DATE, DateTimeFormatter.RFC_1123_DATE_TIME, DateTimeFormatter.ISO_OFFSET_TIME}) System.out.println(f.format(t));
        System.out.println(LocalDateTime.parse("03/04/2021 17:05", DateTimeFormatter.ofPattern("dd/MM/yyyy HH:mm")) + " " + ZonedDateTime.parse("2024-01-01T00:00:00+01:00[Europe/Paris]") + " " + OffsetDateTime.parse("2024-01-01T00:00:00-05:00").toInstant());
        DateTimeFormatter built = new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern("d-MMM-yyyy").optionalStart().appendLiteral(' ').append(DateTimeFormatter.ISO_LOCAL_TIME).optionalEnd().toFormatter(Locale.ENGLISH);
        System.out.println(LocalDate.parse("5-jan-2020", built) + " " + built.format(LocalDateTime.of(2020, 1, 5, 6, 7, 8)));
        try {
            LocalDate.parse("2020", built);
        } catch (DateTimeParseException e) {
            System.out.println(e.getMessage() + " " + e.getErrorIndex());
        }
        Clock fixed = Clock.fixed(i, ZoneOffset.UTC);
        System.out.println(LocalDate.now(fixed) + " " + Clock.offset(fixed, Duration.ofHours(20)).instant() + " " + Clock.tick(fixed, Duration.ofMinutes(1)).instant());
        System.out.println(java.time.chrono.JapaneseDate.of(2024, 1, 1) + " " + java.time.chrono.ThaiBuddhistDate.of(2567, 1, 1) + " " + java.time.chrono.HijrahDate.from(LocalDate.of(2024, 1, 1)) + " " + java.time.chrono.MinguoDate.of(113, 1, 1));
        try {
            ZoneId.of("Mars/Base");
        } catch (ZoneRulesException e) {
            System.out.println(e.getMessage());
        }
        Date d = Date.from(i);
        GregorianCalendar g = new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin"), Locale.ROOT);
        g.setTime(d);
        System.out.println(d.getTime() + " " + g.get(Calendar.HOUR_OF_DAY) + g.get(Calendar.DAY_OF_YEAR) + " " + g.getActualMaximum(Calendar.DAY_OF_MONTH) + " " + g.toZonedDateTime());
        System.out.println(ZoneId.getAvailableZoneIds().size() > 500);
    }
}
