/** Cycles of initialization seen by one thread: half-initialized values. */
public class A03Recursive {
    static class A { static int x = B.y + 1; static { System.out.println("A done " + x); } }
    static class B { static int y = A.x + 10; static { System.out.println("B done " + y); } }
    static class Singleton {
        static final Singleton ONLY = new Singleton();
        static int count = 5;
        int seen;
        Singleton() { seen = count; count++; }
    }
    enum Color {
        RED, GREEN;
        static int made;
        static final String TEXT = "t";
        Color() { System.out.println("color " + TEXT); }
    }

    public static void main(String[] args) {
        System.out.println(A.x + " " + B.y);
        System.out.println(Singleton.ONLY.seen + " " + Singleton.count);
        System.out.println(Color.made + " " + Color.values().length);
    }
}
