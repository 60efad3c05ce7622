/** Static, virtual, super, private, interface and recursive calls; overloads; varargs. */
public class A16Calls {
    interface Shape { double area(); default String describe() { return "shape of " + area(); } }
    static class Square implements Shape {
        final double side;
        Square(double side) { this.side = side; }
        public double area() { return side * side; }
        public String toString() { return "Square(" + side + ")"; }
    }
    static class Cube extends Square {
        Cube(double s) { super(s); }
        public double area() { return 6 * super.area(); }
        public String describe() { return "cube, " + super.describe(); }
        private int secret() { return 42; }
        int tell() { return secret(); }
    }

    static String f(int i) { return "int"; }
    static String f(long i) { return "long"; }
    static String f(double i) { return "double"; }
    static String f(Object i) { return "Object"; }
    static String f(String i) { return "String"; }
    static String f(Integer i) { return "Integer"; }
    static String f(int... i) { return "int..." + i.length; }
    static long mixed(byte a, long b, char c, double d, float e, boolean f, short g, Object h) {
        return a + b + c + (long) d + (long) e + (f ? 1 : 0) + g + h.toString().length();
    }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    public static void main(String[] args) {
        Shape[] shapes = {new Square(2), new Cube(2), () -> 7.5};
        for (Shape s : shapes) System.out.println(s.area() + " " + s.describe());
        System.out.println(new Cube(1).tell() + " " + new Cube(3));
        byte b = 1;
        System.out.println(f(b) + f('c') + f(1) + f(1L) + f(1f) + f("s") + f((Object) "s") + f((Integer) 3) + f()
                + f(1, 2, 3) + f(new int[5]));
        System.out.println(mixed((byte) 1, 2, 'c', 4.9, 5.9f, true, (short) 7, "eight"));
        System.out.println(fib(20) + " " + ackermann(2, 3));
    }
}
