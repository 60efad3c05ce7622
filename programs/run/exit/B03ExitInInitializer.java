/** exit in a static initializer, while another thread wants the class. */
public class B03ExitInInitializer {
    static class Leaves {
        static {
            System.out.println("initializer");
            System.exit(11);
        }
        static void touch() { System.out.println("never"); }
    }

    public static void main(String[] args) {
        Leaves.touch();
    }
}
