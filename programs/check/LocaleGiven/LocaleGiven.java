import java.util.Locale;

/**
 * A thread changes the default locale while another one formats a number for a locale of its own.
 *
 * Correct: the default is not asked for.
 */
public class LocaleGiven {
    public static void main(String[] args) throws InterruptedException {
        Locale.setDefault(Locale.US);
        Thread changer = new Thread(() -> Locale.setDefault(Locale.GERMANY), "changer");
        changer.start();
        String number = String.format(Locale.US, "%.1f", 1.5);
        changer.join();
        assert number.equals("1.5");
    }
}
