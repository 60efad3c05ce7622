public class A01ExitCode {
    public static void main(String[] args) {
        System.out.println("before");
        System.exit(42);
        System.out.println("after");
    }
}
