/** The main class cannot be initialized. */
public class A04UncaughtInitializer {
    static int x = 1 / Integer.parseInt("0");

    public static void main(String[] args) {
        System.out.println("never");
    }
}
