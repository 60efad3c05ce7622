/** ExceptionInInitializerError first, NoClassDefFoundError afterwards. */
public class A02InitializerError {
    static class Bad {
        static int x = Integer.parseInt("zero");
        static void f() {}
    }
    static class WorseError {
        static { if (true) throw new StackOverflowError("made up"); }
        static void f() {}
    }
    static class Sub extends Bad { static int y = 1; static void g() {} }

    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("fine");
        } catch (Throwable t) {
            System.out.println(t);
            System.out.println("  message " + t.getMessage());
            System.out.println("  cause " + t.getCause());
        }
    }

    public static void main(String[] args) {
        attempt(() -> Bad.f());
        attempt(() -> Bad.f());
        attempt(() -> new Bad());
        attempt(() -> System.out.println(Bad.x));
        attempt(() -> Sub.g());
        attempt(() -> System.out.println(Sub.y));
        attempt(() -> WorseError.f());
        attempt(() -> WorseError.f());
        try {
            Class.forName("Missing$Class");
        } catch (ClassNotFoundException e) {
            System.out.println(e);
        }
        try {
            Class.forName("A02InitializerError$Bad");
        } catch (Throwable e) {
            System.out.println(e);
        }
    }
}
