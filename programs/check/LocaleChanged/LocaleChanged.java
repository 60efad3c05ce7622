import java.util.Locale;

/**
 * A thread changes the default locale while another one formats a number.
 *
 * Breaks when: the locale is changed first. Then there is a comma in the number.
 */
public class LocaleChanged {
    public static void main(String[] args) throws InterruptedException {
        Locale.setDefault(Locale.US);
        Thread changer = new Thread(() -> Locale.setDefault(Locale.GERMANY), "changer");
        changer.start();
        String number = String.format("%.1f", 1.5);
        changer.join();
        assert number.equals("1.5"); //~ assertion
    }
}
