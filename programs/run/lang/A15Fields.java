/** Instance and static fields of every type; hiding; initial values. */
public class A15Fields {
    static class Base {
        boolean z; byte b; char c; short s; int i; long l; float f; double d; Object o;
        String name = "base";
        static int count = 5;
    }

    static class Derived extends Base {
        String name = "derived";
        long l = 99;
        boolean last = true;
        static int count = 6;
    }

    static int si; static long sl; static float sf; static double sd; static Object so;

    public static void main(String[] args) {
        Derived d = new Derived();
        System.out.println(d.z + " " + d.b + " " + (int) d.c + " " + d.s + " " + d.i + " " + ((Base) d).l + " " + d.f
                + " " + d.d + " " + d.o + " " + d.name + " " + ((Base) d).name + " " + d.l);
        d.b = -1;
        d.c = 'x';
        d.s = -2;
        d.i = 1 << 30;
        ((Base) d).l = Long.MIN_VALUE;
        d.f = 1.5f;
        d.d = -2.5;
        d.o = d;
        d.z = true;
        System.out.println(d.z + " " + d.b + " " + d.c + " " + d.s + " " + d.i + " " + ((Base) d).l + " " + d.f + " "
                + d.d + " " + (d.o == d) + " " + d.l + " " + d.last);
        System.out.println(Base.count + Derived.count);
        si++;
        sl += 1L << 40;
        sf -= 0.25f;
        sd = sf * 2;
        so = "static";
        System.out.println(si + " " + sl + " " + sf + " " + sd + " " + so);
        d.i += d.i++ + ++d.i;
        System.out.println(d.i);
        d.l <<= 3;
        System.out.println(d.l--);
        System.out.println(d.l);
    }
}
