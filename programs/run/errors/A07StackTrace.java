/** Stack traces as the program sees them: classes, methods, lines. */
public class A07StackTrace {
    final int x;

    A07StackTrace(int x) {
        this.x = 10 / x;
    }

    static void show(Throwable t) {
        System.out.println(t);
        for (StackTraceElement e : t.getStackTrace()) {
            System.out.println("  " + e.getClassName() + "." + e.getMethodName() + " " + e.getFileName() + ":" + e.getLineNumber());
        }
    }

    static class Inner {
        static Object made = make();
        static Object make() { throw new IllegalStateException("static init"); }
    }

    int divide(int y) {
        return
            x
                /
            y;
    }

    public static void main(String[] args) {
        try {
            new A07StackTrace(0);
        } catch (ArithmeticException e) {
            show(e);
        }
        try {
            new A07StackTrace(5).divide(0);
        } catch (ArithmeticException e) {
            show(e);
        }
        try {
            System.out.println(Inner.made);
        } catch (ExceptionInInitializerError e) {
            show(e);
            show(e.getCause());
        }
        try {
            Integer.parseInt("12x");
        } catch (NumberFormatException e) {
            show(e);
        }
        show(new Throwable("here").fillInStackTrace());
        StackTraceElement[] own = {new StackTraceElement("a.B", "c", "B.java", 7), new StackTraceElement("a.B", "n", null, -2)};
        Throwable t = new Throwable();
        t.setStackTrace(own);
        show(t);
        System.out.println(own[0] + " " + own[1]);
    }
}
