public class A09Halt {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("no hook runs")));
        try {
            System.out.println("halting");
            Runtime.getRuntime().halt(9);
        } finally {
            System.out.println("no finally");
        }
    }
}
