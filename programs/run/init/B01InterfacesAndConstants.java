/** Constants are inlined; interface initialization happens on first use of a field only. */
public class B01InterfacesAndConstants {
    static int log(String s) { System.out.println("  init " + s); return 1; }
    interface I { int CONST = 5; int COMPUTED = log("I"); }
    interface J extends I { int MORE = log("J"); default void m() {} }
    interface K extends J { int EVEN = log("K"); }
    static class C implements K { static { log("C"); } static void hi() { System.out.println("hi"); } static final String S = "inlined"; static final String T = new String("not"); }
    static class D extends C { static { log("D"); } static final long L = 5L; static final long M = Long.valueOf(6); }

    public static void main(String[] args) throws Exception {
        System.out.println("const " + I.CONST + C.S + D.L);
        System.out.println("J.MORE");
        System.out.println(J.MORE);
        System.out.println("C.hi");
        D.hi();
        System.out.println("D.M " + D.M);
        System.out.println("K.COMPUTED");
        System.out.println(K.COMPUTED);
        System.out.println("reflection");
        Class<?> c = Class.forName("B01InterfacesAndConstants$R", false, B01InterfacesAndConstants.class.getClassLoader());
        System.out.println(c.getDeclaredFields().length);
        System.out.println(c.getDeclaredField("N").getInt(null));
    }
    static class R { static { log("R"); } static int N = 3; }
}
