import java.io.BufferedReader;
import java.io.FileReader;
import java.util.List;
import java.util.ArrayList;

/**
 * Links, and with it verifies, every class that a file names, without initializing it, and prints what is thrown. Run with
 * -Xverify:all and the classes in --patch-module or on the class path.
 */
public class Linker {
    public static void main(String[] args) throws Exception {
        List<String> names = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new FileReader(args[0]))) {
            for (String line; (line = in.readLine()) != null; ) {
                names.add(line);
            }
        }
        int linked = 0;
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        for (String name : names) {
            try {
                Class<?> c = Class.forName(name, false, loader);
                // Linking is the first thing that these do.
                if (c.isInterface()) {
                    c.getDeclaredFields();
                } else {
                    c.getDeclaredConstructors();
                }
                linked++;
            } catch (Throwable t) {
                String text = String.valueOf(t.getMessage());
                System.out.println(name + "\t" + t.getClass().getName() + "\t" + text.split("\n")[0]);
            }
        }
        System.out.println(linked + " of " + names.size() + " linked, " + hits() + " calls");
    }

    /** The probe is in whatever module the classes are in. */
    private static long hits() {
        try {
            return Class.forName("heddle.probe.Probe").getField("hits").getLong(null);
        } catch (ReflectiveOperationException e) {
            return -1;
        }
    }
}
