import java.time.*;
import java.time.temporal.*;

/** LocalDate, LocalTime, LocalDateTime: arithmetic and fields. */
public class A01Dates {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 28);
        System.out.println(d.plusDays(2) + " " + d.plusMonths(12) + " " + d.minusYears(100) + " " + d.isLeapYear() + d.getDayOfWeek() + d.getDayOfYear() + d.lengthOfMonth());
        System.out.println(d.withDayOfMonth(1) + " " + d.with(TemporalAdjusters.lastDayOfMonth()) + " " + d.with(TemporalAdjusters.next(DayOfWeek.MONDAY)) + " " + d.with(TemporalAdjusters.firstInMonth(DayOfWeek.FRIDAY)));
        System.out.println(LocalDate.of(2023, 1, 31).plusMonths(1) + " " + LocalDate.ofEpochDay(-1) + " " + LocalDate.ofYearDay(2024, 366) + " " + d.toEpochDay() + LocalDate.MAX + LocalDate.MIN);
        System.out.println(Period.between(LocalDate.of(2000, 5, 17), d) + " " + ChronoUnit.DAYS.between(LocalDate.EPOCH, d) + " " + d.until(LocalDate.of(2025, 1, 1), ChronoUnit.WEEKS) + " " + d.isBefore(LocalDate.of(2024, 3, 1)));
        LocalTime t = LocalTime.of(23, 59, 30, 5_000_000);
        System.out.println(t + " " + t.plusSeconds(45) + " " + t.truncatedTo(ChronoUnit.MINUTES) + " " + t.toSecondOfDay() + " " + LocalTime.MIDNIGHT + LocalTime.of(1, 2) + LocalTime.of(1, 2, 3, 1));
        LocalDateTime dt = LocalDateTime.of(d, t);
        System.out.println(dt + " " + dt.plusHours(1) + " " + dt.get(ChronoField.MINUTE_OF_DAY) + " " + dt.toLocalDate().atStartOfDay() + " " + dt.compareTo(dt.plusNanos(1)));
        System.out.println(Duration.ofSeconds(3661, 5).toString() + Duration.between(dt, dt.plusDays(2)) + Duration.parse("PT1H30M").toMinutes() + Duration.ofMillis(-1500) + Period.parse("P1Y2M3D").plusDays(40).normalized());
        System.out.println(YearMonth.of(2024, 2).atEndOfMonth() + " " + Year.of(1900).isLeap() + MonthDay.of(2, 29).isValidYear(2023) + Month.MARCH.plus(11) + DayOfWeek.SUNDAY.plus(1));
        System.out.println(d.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR) + " " + d.get(WeekFields.ISO.weekOfYear()) + d.range(ChronoField.DAY_OF_MONTH) + d.query(TemporalQueries.precision()));
        System.out.println(d.datesUntil(d.plusDays(4)).toList() + " " + d.hashCode() + t.hashCode());
        String[] bad = {"2023-02-29", "2023-13-01", "x", "2023-1-1"};
        for (String s : bad) {
            try {
                LocalDate.parse(s);
            } catch (DateTimeException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            d.get(ChronoField.HOUR_OF_DAY);
        } catch (UnsupportedTemporalTypeException e) {
            System.out.println(e.getMessage());
        }
    }
}
