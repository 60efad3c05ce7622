public class A10Arguments {
    public static void main(String... args) {
        System.out.println(args.length);
        for (String a : args) System.out.println("[" + a + "]");
        System.err.println("to stderr");
        System.exit(args.length);
    }
}
