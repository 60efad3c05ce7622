import java.util.*;

/** Resource bundles: properties and classes, fallbacks, missing keys. */
public class B04Bundles {
    public static class Classes extends ListResourceBundle {
        protected Object[][] getContents() { return new Object[][] {{"list", List.of(1, 2)}, {"text", "from a class"}}; }
    }

    public static void main(String[] args) {
        for (Locale l : new Locale[] {Locale.ROOT, Locale.GERMAN, new Locale("de", "AT"), Locale.JAPAN}) {
            ResourceBundle b = ResourceBundle.getBundle("messages", l, ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_DEFAULT));
            System.out.println(l + " " + b.getLocale() + " " + b.getString("greeting") + " " + b.getString("only.base") + " " + new TreeSet<>(b.keySet()));
        }
        ResourceBundle c = ResourceBundle.getBundle("B04Bundles$Classes", Locale.ROOT);
        System.out.println(c.getObject("list") + c.getString("text") + c.containsKey("zzz"));
        try {
            c.getString("zzz");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        try {
            ResourceBundle.getBundle("nothing", Locale.ROOT);
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
    }
}
