/** Assertions are off by default and switched on by name. */
public class B11AssertionsOff {
    static class On { static boolean f() { assert false; return false; } }
    static class Off { static boolean f() { assert false; return false; } }

    public static void main(String[] args) {
        try {
            System.out.println(On.f());
        } catch (AssertionError e) {
            System.out.println("on");
        }
        System.out.println(Off.f());
        ClassLoader.getSystemClassLoader().setClassAssertionStatus("B11AssertionsOff$Late", true);
        try {
            Late.f();
        } catch (AssertionError e) {
            System.out.println("late " + e.getMessage());
        }
    }
    static class Late { static void f() { assert 1 > 2 : 3; } }
}
