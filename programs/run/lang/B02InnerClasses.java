/** Inner, local, anonymous and nested classes; private access between nestmates. */
public class B02InnerClasses {
    private int secret = 1;
    private static int shared = 100;
    private int bump() { return ++secret; }

    class Inner {
        private int own = 10;
        class Deeper {
            int sum() { return secret + own + B02InnerClasses.this.bump() + Inner.this.own + shared; }
        }
        private Inner() { own += secret; }
    }
    static class Nested {
        private final int[] data = {1, 2, 3};
        private static String note() { return "note"; }
        private Nested() {}
    }

    Runnable local(int a) {
        int b = a * 2;
        class Local implements Runnable {
            int c = b;
            public void run() { System.out.println("local " + a + b + c + secret); }
        }
        return new Local();
    }

    static class Outer2 { class In { String s() { return "in"; } } }
    static class Sub extends Outer2.In { Sub(Outer2 o) { o.super(); } }

    public static void main(String[] args) {
        B02InnerClasses outer = new B02InnerClasses();
        B02InnerClasses.Inner inner = outer.new Inner();
        B02InnerClasses.Inner.Deeper deeper = inner.new Deeper();
        System.out.println(deeper.sum() + " " + inner.own + " " + outer.secret);
        inner.own++;
        outer.secret += 5;
        System.out.println(deeper.sum());
        Nested n = new Nested();
        n.data[0] = 7;
        System.out.println(n.data[0] + Nested.note());
        outer.local(3).run();
        Object anonymous = new Object() {
            int count = 3;
            @Override public String toString() { return "anon" + count + outer.secret; }
        };
        System.out.println(anonymous);
        var v = new Object() { int x = 1; int inc() { return ++x; } };
        System.out.println(v.inc() + v.x);
        System.out.println(new Sub(new Outer2()).s());
        System.out.println(Inner.Deeper.class.getName() + " " + anonymous.getClass().getName() + " " + outer.local(1).getClass().getName()
                + " " + outer.local(1).getClass().getSimpleName() + " " + Inner.class.getNestHost().getName());
        try {
            B02InnerClasses none = null;
            none.new Inner();
        } catch (NullPointerException e) {
            System.out.println("no outer");
        }
    }
}
