/** if, loops, labelled break and continue, ternaries, short circuits. */
public class A10ControlFlow {
    static int calls;

    static boolean yes(boolean b) {
        calls++;
        return b;
    }

    public static void main(String[] args) {
        int n = 0;
        outer:
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) {
                if (j == i) continue outer;
                if (i == 7) break outer;
                n += i * j;
            }
        }
        System.out.println(n);
        int w = 100;
        while (w > 3) w = w / 2 + 1;
        System.out.println(w);
        do w--; while (w > 0);
        System.out.println(w);
        block: {
            if (n > 0) break block;
            System.out.println("never");
        }
        System.out.println(yes(false) && yes(true) || yes(true) && !yes(false));
        System.out.println(yes(true) | yes(true) & yes(false) ^ yes(true));
        System.out.println(calls);
        for (int i = 0, j = 10; i < j; i++, j--) System.out.print(i * j + (i + 1 < j - 1 ? "," : "\n"));
        for (;;) {
            if (++n % 7 == 0) break;
        }
        System.out.println(n);
        Object o = n > 3 ? "text" : (Object) 3;
        System.out.println(o);
        System.out.println(true ? 1 : 2.0);
        System.out.println((Object) (n > 0 ? 'a' : 0));
        Integer boxed = null;
        System.out.println(n > 0 ? "x" : boxed);
    }
}
