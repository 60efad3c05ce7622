/** instanceof and casts over classes, interfaces, arrays and null. */
public class A20Instanceof {
    interface I {}
    interface J extends I {}
    static class A {}
    static class B extends A implements J {}
    static final class C extends B {}

    static String test(Object o) {
        return "" + (o instanceof I ? 'I' : '-') + (o instanceof J ? 'J' : '-') + (o instanceof A ? 'A' : '-')
                + (o instanceof B ? 'B' : '-') + (o instanceof C ? 'C' : '-') + (o instanceof Object[] ? 'o' : '-')
                + (o instanceof A[] ? 'a' : '-') + (o instanceof I[] ? 'i' : '-') + (o instanceof int[] ? 'n' : '-')
                + (o instanceof I[][] ? '2' : '-') + (o instanceof Cloneable ? 'c' : '-')
                + (o instanceof Object ? 'O' : '-');
    }

    public static void main(String[] args) {
        Object[] all = {null, new Object(), new A(), new B(), new C(), new A[0], new B[0], new C[0][0], new int[0],
            new int[0][0], new I[0], "x", 1};
        for (Object o : all) System.out.println(test(o));
        for (Object o : all) {
            try {
                B b = (B) o;
                System.out.println("cast " + (b == null));
            } catch (ClassCastException e) {
                System.out.println("no");
            }
        }
        Object o = "pattern";
        if (o instanceof String s && s.length() > 3) System.out.println(s.toUpperCase());
        if (!(o instanceof Integer i)) System.out.println("not an int");
        else System.out.println(i + 1);
        A[] covariant = new C[1];
        covariant[0] = new C();
        try {
            covariant[0] = new B();
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
    }
}
